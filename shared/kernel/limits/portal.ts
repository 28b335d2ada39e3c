/** The longest name, and the longest category and icon, of an item of the portal. */
export const maxItemNameCharacters = 100
/** The longest description of an item. */
export const maxItemDescriptionCharacters = 2000
/** The fields that an item asks for, and those that it shows. */
export const maxItemFields = 100
/** The roles of an item, or of an article. */
export const maxItemRoles = 50
/** Files that are sent with a new request. */
export const maxRequestFiles = 20
/** The requests of a person that the portal lists, the newest first. */
export const maxListedRequests = 1000
/** Comments that a request shows, the latest ones. */
export const maxShownComments = 200
/** People who are added to a request at once. */
export const maxAddedWatchers = 20
/** Text that suggestions are made for. */
export const maxSuggestCharacters = 500
/** Suggestions of each kind. */
export const maxSuggestions = 5
/** Articles that are searched for a person. */
export const maxArticlesRead = 200
/** The greatest `position` of an item. */
export const maxItemPosition = 1_000_000
/** The best rating of a request. */
export const maxStars = 5
/** The beginning of an article that lists show. */
export const maxExcerptCharacters = 200

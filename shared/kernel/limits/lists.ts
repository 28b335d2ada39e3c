/** Fields of `sort`. */
export const maxSortKeys = 8
/** Fields of `group_by`. */
export const maxGroupFields = 5
/** Groups that `top` answers one by one. */
export const maxTopGroups = 1000
/** Conditions in each other in a filter. */
export const maxFilterDepth = 32
/** Conditions of a filter. */
export const maxFilterTests = 300
/** Values of `_in` and `_nin`. As deep as a request body may be nested. */
export const maxFilterValues = 1000
/** Elements of all lists in a query: as many as the values of all conditions of a filter, and room for the rest. */
export const maxQueryElements = 400_000
/** Names in `fields` and `expand`. */
export const maxSelectedFields = 400
/** Words of a search. */
export const maxSearchWords = 16
/** Records that a search may find. Scoring a record takes about 20 µs. Only what the viewer may read counts, so the limit tells nothing hidden. */
export const maxSearchMatches = 100_000
/** Rows between `startRow` and `endRow`. */
export const maxGridRows = 1000
/** A searched word. Longer words are indexed and searched by their prefix. */
export const maxWordCharacters = 64
/** Words of a record that a search looks at, those of the title first. How many words of a record are searched: the first ones, those of the title before all others. */
export const maxSearchedWords = 250
/** How much of a text lists hold at hand, and a search looks at. Longer texts are cut in their column; the whole text stands in the column that `longColumn` names. */
export const maxColumnCharacters = 1024
/** Rows that a page by number of the trail, of instances, tasks, incidents, deliveries and messages looks at. */
export const maxScannedKeys = 20_000
/** The same, of lists that no index answers, such as script runs. How many keys one answer counts, or rows it reads where keys are not enough; beyond that the total is not exact. */
export const maxScannedRows = 2000
/** A page of a timeline. A timeline reads several sources for each page. */
export const maxTimelinePage = 100
/** A text in the timeline. Data up to so many characters of JSON is answered as it is. */
export const maxTimelineCharacters = 16_000
/** Changed settings that an entry of the trail names. */
export const maxTrailPaths = 200
/** A name in an entry of the trail. */
export const maxTrailCharacters = 300
/** Attempts of a delivery that a timeline shows. The newest attempts that are read of each delivery. */
export const maxTimelineAttempts = 20
/** A name in `fields`, `expand`, `sort` and `group_by`. */
export const maxFieldNameCharacters = 200
/** Names in such a list before they are looked up. */
export const maxNamesPerList = 500
/** `search`. */
export const maxSearchCharacters = 500
/** `cursor` of a list of records. */
export const maxCursorCharacters = 4000
/** Changes of one answer of the feed. */
export const maxChangesPerAnswer = 1000
/** Tables of one feed of changes. Each is read in four parts. */
export const maxChangeTables = 20
/** `kinds` of a timeline. */
export const maxKindsCharacters = 200
/** Private views of a user, of all tables. All of a table are counted in one request. */
export const maxPrivateViews = 200
/** Shared views of a table. All of a table are counted in one request. */
export const maxSharedViews = 200
/** The name of a view. */
export const maxViewNameCharacters = 100
/** The filter of a view. */
export const maxViewFilterBytes = 20 * 1024
/** `roles` of a view. */
export const maxViewRoles = 20
/** Records of a table that one person has snoozed. */
export const maxSnoozedRecords = 500
/** Tables that are searched in one request. */
export const maxSearchedTables = 100
/** Records of each table that a search over all of them answers. */
export const maxSearchRecords = 20

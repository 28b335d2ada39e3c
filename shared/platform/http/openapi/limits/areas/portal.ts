import * as limits from '../../../../../kernel/limits/portal.ts'
import { explained } from '../explained.ts'

export const portalLimits = explained('Portal', limits, {
  maxItemNameCharacters: ['characters', 'name, category and icon of an item', '422'],
  maxItemDescriptionCharacters: ['characters', 'the description of an item', '422'],
  maxItemFields: ['fields', '`fields` and `public_fields` of an item', '422'],
  maxItemPosition: ['items', '`position` of an item', '422'],
  maxStars: ['stars', 'the rating of a request', '422'],
  maxItemRoles: ['roles', '`roles` of an item', '422'],
  maxRequestFiles: ['files', 'files sent with a new request', '422'],
  maxListedRequests: ['requests', 'requests of a person that the portal lists', 'The newest are listed'],
  maxShownComments: ['comments', 'comments that a request shows', 'The latest are shown'],
  maxAddedWatchers: ['people', 'people who are added to a request at once', '422'],
  maxSuggestCharacters: ['characters', '`text` of suggestions', '422'],
  maxSuggestions: ['suggestions', 'suggested articles, and suggested items', 'The best are answered'],
  maxExcerptCharacters: ['characters', 'the beginning of an article in lists', 'It is cut'],
  maxArticlesRead: ['articles', 'articles that match a search', 'The best are listed'],
})

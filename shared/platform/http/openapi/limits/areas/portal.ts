import * as limits from '../../../../../kernel/limits/portal.ts'
import { explained } from '../explained.ts'

export const portalLimits = explained('Portal', limits, {
  maxItemNameCharacters: ['characters', 'name, category and icon of an item', '422'],
  maxItemDescriptionCharacters: ['characters', 'the description of an item', '422'],
  maxItemFields: ['fields', '`fields` and `public_fields` of an item', '422'],
  maxItemRoles: ['roles', '`roles` of an item', '422'],
  maxRequestFiles: ['files', 'files sent with a new request', '422'],
  maxListedRequests: ['requests', 'requests of a person that the portal lists', 'The newest are listed'],
  maxShownComments: ['comments', 'comments that a request shows', 'The latest are shown, `has_more` says so'],
  maxAddedWatchers: ['people', 'people who are added to a request at once', '422'],
  maxSuggestCharacters: ['characters', '`text` of suggestions', '422'],
  maxSuggestions: ['suggestions', 'suggested articles, and suggested items', 'The best are answered'],
  maxArticlesRead: ['articles', 'articles that match a search', 'The best are listed'],
})

import * as limits from '../../../../../kernel/limits/lists.ts'
import { explained } from '../explained.ts'

export const listsLimits = explained('Lists, search and trail', limits, {
  maxSortKeys: ['fields', 'fields of `sort`', '422'],
  maxGroupFields: ['fields', 'fields of `group_by`', '422'],
  maxFilterDepth: ['levels', 'conditions in each other in a filter', '422'],
  maxFilterTests: ['conditions', 'conditions of a filter', '422'],
  maxFilterValues: ['values', 'values of `_in` and `_nin`', '422'],
  maxQueryElements: ['elements', 'elements of all lists in the body of a query', '422'],
  maxSelectedFields: ['fields', 'names in `fields` and `expand`', '422'],
  maxSearchWords: ['words', 'words of a search', 'The first ones count'],
  maxSearchMatches: ['records', 'records that a search may find', '422 query_too_expensive'],
  maxGridRows: ['rows', 'rows between `startRow` and `endRow`', 'Clamped'],
  maxWordCharacters: ['characters', 'a searched word', 'It is cut'],
  maxSearchedWords: [
    'words',
    'words of a record that a search looks at, those of the title first',
    'The others are not found',
  ],
  maxColumnCharacters: [
    'characters',
    'how much of a text lists hold at hand, and a search looks at',
    'Filters read the whole text; words behind it are not found',
  ],
  maxScannedKeys: [
    'keys',
    'rows that a page by number of the trail, of instances, tasks, incidents, deliveries and messages looks at',
    '422 query_too_expensive; a cursor reaches every row',
  ],
  maxScannedRows: [
    'rows',
    'the same, of lists that no index answers, such as script runs',
    '422 query_too_expensive; a cursor reaches every row',
  ],
  maxTimelinePage: ['entries', 'a page of a timeline', 'Clamped'],
  maxTimelineCharacters: ['characters', 'a text in the timeline', 'It is cut'],
  maxTrailPaths: ['paths', 'changed settings that an entry of the trail names', 'The first ones are named'],
  maxTrailCharacters: ['characters', 'a name in an entry of the trail', 'It is cut'],
  maxTimelineAttempts: ['attempts', 'attempts of a delivery that a timeline shows', 'The newest are shown'],
  maxFieldNameCharacters: ['characters', 'a name in `fields`, `expand`, `sort` and `group_by`', '422'],
  maxNamesPerList: ['names', 'names in such a list before they are looked up', '422'],
  maxSearchCharacters: ['characters', '`search`', '422'],
  maxCursorCharacters: ['characters', '`cursor` of a list of records', '422'],
  maxChangesPerAnswer: ['changes', 'changes of one answer of the feed (`limit`)', 'Clamped'],
  maxChangeTables: ['tables', 'tables of one feed of changes', '422; follow several feeds'],
  maxKindsCharacters: ['characters', '`kinds` of a timeline', '422'],
})

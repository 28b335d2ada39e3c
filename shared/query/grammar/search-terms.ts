import { cutText } from '../../columns/service.ts'
import { scoreWords, termsOf, tokensOf, wordsOf } from '../../search/service.ts'
import type { Table } from '../../tables/service.ts'
import type { SortKey } from '../read/order.ts'
import type { Row } from '../read/row.ts'
import type { QueryField } from './expression-types.ts'
import { idField } from './field.ts'

/** A parsed search: a record must have every word, the last one as a prefix. */
export interface SearchTerms {
  readonly words: readonly string[]
  matches(row: Row): boolean
  /** How well a record matches: the default sort key of a search. */
  readonly rank: QueryField
}

const maxWords = 16

/** Parses the text of a search. */
export function searchTerms(table: Table, text: string): SearchTerms {
  const words = tokensOf(text).slice(0, maxWords)
  const terms = termsOf(words)
  const scores = new WeakMap<Row, number>()
  const score = (row: Row): number => {
    const known = scores.get(row) ?? scoreWords(indexedWords(table, row), terms)
    scores.set(row, known)
    return known
  }
  const rank: QueryField = { ...idField, path: '$rank', name: '$rank', readValue: score }
  return { words, rank, matches: (row) => score(row) > 0 }
}

/** Best match first, then newest first. */
export const byRank = ({ rank }: SearchTerms): readonly SortKey[] => [
  { field: rank, descending: true },
  { field: idField, descending: true },
]

/** The words of a record as the index has them. */
const indexedWords = (table: Table, { data }: Row): Map<string, number> =>
  wordsOf(table, (column) => {
    const value = data[column]
    return typeof value === 'string' ? cutText(value) : value
  })

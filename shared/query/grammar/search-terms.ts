import { tokensOf } from '../../search/service.ts'
import { searchedFields, type SearchedField, type Table } from '../../tables/service.ts'
import type { Row } from '../access/row.ts'
import type { SortKey } from '../plan/order.ts'
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
  const fields = searchedFields(table)
  const scores = new WeakMap<Row, number>()
  const score = (row: Row): number => {
    const known = scores.get(row) ?? (words.length === 0 ? 0 : scoreOf(weighTokens(fields, row.data), words))
    scores.set(row, known)
    return known
  }
  const rank: QueryField = { ...idField, path: '$rank', name: '$rank', index: undefined, readValue: score }
  return { words, rank, matches: (row) => score(row) > 0 }
}

/** Best match first, then newest first. */
export const byRank = ({ rank }: SearchTerms): readonly SortKey[] => [
  { field: rank, descending: true },
  { field: idField, descending: true },
]

/** Weighs the words of a record as the search index does, but all of them. */
function weighTokens(fields: readonly SearchedField[], data: Row['data']): Map<string, number> {
  const weights = new Map<string, number>()
  for (const { name, weight } of fields) {
    const value = data[name]
    if (typeof value !== 'string') continue
    const times = new Map<string, number>()
    for (const token of tokensOf(value)) times.set(token, (times.get(token) ?? 0) + 1)
    for (const [token, count] of times)
      weights.set(token, (weights.get(token) ?? 0) + Math.round(weight * (1 + Math.log2(count))))
  }
  return weights
}

/** 0 when a word is missing. */
function scoreOf(tokens: ReadonlyMap<string, number>, words: readonly string[]): number {
  let score = 0
  for (const [index, word] of words.entries()) {
    let weight = tokens.get(word) ?? 0
    if (index === words.length - 1) {
      for (const [token, other] of tokens) if (other > weight && token.startsWith(word)) weight = other
    }
    if (weight === 0) return 0
    score += weight
  }
  return score
}

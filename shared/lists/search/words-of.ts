import { createHash } from 'node:crypto'
import { maxSearchedWords } from '../../kernel/limits/lists.ts'
import { searchedFields } from '../../tables/tables/searched-fields.ts'
import type { Table } from '../../tables/tables/table.ts'
import { tokensOf } from './terms.ts'

/** What search needs of a table. */
export type SearchedTable = Pick<Table, 'table_fields' | 'title_field' | 'storedNames'>

/** Changes when `tokensOf`, the weights or `maxSearchedWords` change, so that the words of all chunks are made anew. */
const wordsVersion = 2

/** The columns whose words are searched, the title first. */
export const searchedColumns = (table: SearchedTable): string[] => searchedFields(table).map(({ column }) => column)

/** Tells whether words were made with these searched fields, in this order, with these weights: 16 characters. */
export const wordConfig = (table: SearchedTable): string =>
  createHash('sha256')
    .update(JSON.stringify([wordsVersion, ...searchedFields(table).map(({ column, weight }) => [column, weight])]))
    .digest('base64url')
    .slice(0, 16)

/**
 * The words of a record with their weights (positive integers): a pure function of its searched fields. Texts come cut
 * as columns hold them; other values have no words. A word counts more where it occurs in the title, and by the
 * logarithm of how often, so that repeating a word gains little.
 */
export function wordsOf(table: SearchedTable, valueOf: (column: string) => unknown): Map<string, number> {
  const weights = new Map<string, number>()
  for (const { column, weight } of searchedFields(table)) {
    const value = valueOf(column)
    if (typeof value !== 'string') continue
    for (const [word, times] of countWords(value, weights)) {
      weights.set(word, (weights.get(word) ?? 0) + Math.round(weight * (1 + Math.log2(times))))
    }
  }
  return weights
}

/** How often each word occurs in a text. New words count only until the record has `maxSearchedWords`. */
function countWords(text: string, known: ReadonlyMap<string, number>): Map<string, number> {
  const times = new Map<string, number>()
  let free = maxSearchedWords - known.size
  for (const word of tokensOf(text)) {
    const before = times.get(word)
    if (before === undefined && !known.has(word) && free-- <= 0) continue
    times.set(word, (before ?? 0) + 1)
  }
  return times
}

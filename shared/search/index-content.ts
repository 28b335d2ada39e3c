import { counterSort } from '../store/keys/search.ts'
import { countedFields, searchedFields, type Table } from '../tables/service.ts'
import { tokensOf } from './tokens.ts'

/** How many words of a record are indexed: the first ones, those of the title before all others. */
const maxTokens = 40

/** The words and the counted values of one record. */
export interface IndexContent {
  /** Word to weight. */
  readonly tokens: ReadonlyMap<string, number>
  /** Field to the sort key of its value's counter. */
  readonly counted: ReadonlyMap<string, string>
}

/** The content of a record that does not exist. */
export const noContent: IndexContent = { tokens: new Map(), counted: new Map() }

/** The index content of a record: a pure function of its table and its fields. */
export const indexContent = (table: Table, data: Readonly<Record<string, unknown>>): IndexContent => ({
  tokens: weighTokens(table, data),
  counted: new Map(countedFields(table).map((name) => [name, counterSort(data[name])])),
})

/**
 * Weighs each word by the fields it occurs in, and by the logarithm of how often, so that repeating a word gains
 * little.
 */
function weighTokens(table: Table, data: Readonly<Record<string, unknown>>): Map<string, number> {
  const weights = new Map<string, number>()
  for (const { name, weight } of searchedFields(table)) {
    const value = data[name]
    if (typeof value !== 'string') continue
    for (const [token, times] of countTokens(value, weights)) {
      weights.set(token, (weights.get(token) ?? 0) + Math.round(weight * (1 + Math.log2(times))))
    }
  }
  return weights
}

/** How often each word occurs in a text. New words count only until the record has `maxTokens`. */
function countTokens(text: string, known: ReadonlyMap<string, number>): Map<string, number> {
  const times = new Map<string, number>()
  let free = maxTokens - known.size
  for (const token of tokensOf(text)) {
    const before = times.get(token)
    if (before === undefined && !known.has(token) && free-- <= 0) continue
    times.set(token, (before ?? 0) + 1)
  }
  return times
}

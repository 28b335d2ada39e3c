import { counterSort } from '../store/keys/search.ts'
import { countedFields, searchedFields, type Table } from '../tables/service.ts'
import { tokensOf } from './tokens.ts'

/** Words kept of one record: the first ones, the title's before all others. */
const maxTokens = 40

/** What search and counters know of one record. */
export interface IndexContent {
  /** Word to weight. */
  readonly tokens: ReadonlyMap<string, number>
  /** Field to the key of its value's counter. */
  readonly counted: ReadonlyMap<string, string>
}

/** Of a record that does not exist. */
export const noContent: IndexContent = { tokens: new Map(), counted: new Map() }

/** What the index should hold of a record: a pure function of its table and its fields. */
export const indexContent = (table: Table, data: Readonly<Record<string, unknown>>): IndexContent => ({
  tokens: weighTokens(table, data),
  counted: new Map(countedFields(table).map((name) => [name, counterSort(data[name])])),
})

/** A word counts for each field it stands in, and more for each time: by the logarithm, so that repeating a word wins little. */
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

/** How often each word stands in a text; of words not known yet only as many as there is room for. */
function countTokens(text: string, known: ReadonlyMap<string, number>): Map<string, number> {
  const times = new Map<string, number>()
  let room = maxTokens - known.size
  for (const token of tokensOf(text)) {
    const before = times.get(token)
    if (before === undefined && !known.has(token) && room-- <= 0) continue
    times.set(token, (before ?? 0) + 1)
  }
  return times
}

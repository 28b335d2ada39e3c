import type { RequestFields } from './request-record.ts'

/** A record of the measured table, as the model knows it. */
export interface ModelRow extends Omit<RequestFields, 'body'> {
  readonly id: number
  /** The word of the body that searches look for. */
  readonly mention: string
  readonly createdBy: number
  /** The call of the import that made the record; undefined for one that was created alone. */
  readonly importCall: number | undefined
}

export type Order = readonly (readonly [field: keyof ModelRow, direction: 'up' | 'down'])[]

/** What a list must answer: computed from the records themselves, slowly and without an index. */
export interface ListDefinition {
  readonly matches: (row: ModelRow) => boolean
  /** How well a row matches a search; the best ones come first. */
  readonly scoreOf?: (row: ModelRow) => number
  /** Without it the newest come first. `id` is always the last key, in the direction of the key before it. */
  readonly order?: Order
  readonly page: number
}

export interface GroupDefinition {
  readonly matches: (row: ModelRow) => boolean
  readonly by: keyof ModelRow
  readonly measured: 'priority' | 'amount'
  readonly page: number
}

export interface ModelGroup {
  readonly value: unknown
  readonly count: number
  readonly sum: number
  readonly min: number
  readonly max: number
}

export const pageSize = 25

/** The rows of a table by id. Changes of the table are told to it. */
export type Model = Map<number, ModelRow>

/** The total and the ids of one page. */
export function expectedPage(model: Model, definition: ListDefinition): { total: number; ids: number[] } {
  const { matches, scoreOf = () => 0, order = [], page } = definition
  const idDirection = order.at(-1)?.[1] ?? 'down'
  const compare = (a: Scored, b: Scored): number => {
    if (a.score !== b.score) return b.score - a.score
    for (const [field, direction] of order) {
      const compared = compareValues(a.row[field], b.row[field], direction)
      if (compared !== 0) return compared
    }
    return idDirection === 'down' ? b.row.id - a.row.id : a.row.id - b.row.id
  }
  const wanted = page * pageSize
  const kept: Scored[] = []
  let total = 0
  for (const row of model.values()) {
    if (!matches(row)) continue
    total += 1
    kept.push({ row, score: scoreOf(row) })
    // Sorting only what may be on the page is much faster than sorting a million rows.
    if (kept.length < 2 * wanted + 10_000) continue
    kept.sort(compare)
    kept.length = wanted
  }
  kept.sort(compare)
  return { total, ids: kept.slice(wanted - pageSize, wanted).map(({ row }) => row.id) }
}

interface Scored {
  readonly row: ModelRow
  readonly score: number
}

/** The number of groups, and the groups of one page in the order of their values. */
export function expectedGroups(
  model: Model,
  { matches, by, measured, page }: GroupDefinition,
): { total: number; groups: ModelGroup[] } {
  const groups = [...Map.groupBy([...model.values()].filter(matches), (row) => row[by])]
    .toSorted(([a], [b]) => compareValues(a, b, 'up'))
    .map(([value, rows]) => {
      const values = rows.map((row) => row[measured])
      return {
        value,
        count: rows.length,
        sum: values.reduce((sum, one) => sum + one, 0),
        min: values.reduce((least, one) => Math.min(least, one)),
        max: values.reduce((most, one) => Math.max(most, one)),
      }
    })
  return { total: groups.length, groups: groups.slice((page - 1) * pageSize, page * pageSize) }
}

/** A missing value comes last in both directions. Texts of the table are ASCII, so that units are code points. */
function compareValues(a: ModelRow[keyof ModelRow], b: ModelRow[keyof ModelRow], direction: 'up' | 'down'): number {
  if (a === b) return 0
  if (a === null || a === undefined) return 1
  if (b === null || b === undefined) return -1
  return a < b === (direction === 'up') ? -1 : 1
}

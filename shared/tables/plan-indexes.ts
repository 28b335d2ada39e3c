import { isDeepStrictEqual } from 'node:util'
import { assignSlots } from './assign-slots.ts'
import { countedFields } from './counted-fields.ts'
import type { Field } from './schema.ts'
import { searchedFields } from './searched-fields.ts'
import type { SearchIndexState, SlotAssignment, StoredTable, Table } from './table.ts'

/** What a table's configuration says of everything that is derived from its records. */
export type IndexPlan = Pick<StoredTable, 'slots' | 'search_index' | 'becoming_unique' | 'unique_since'>

type Fields = Pick<StoredTable, 'table_fields' | 'title_field'>

/** Of a table without records everything is complete. */
export const indexesOfNew = ({ table_fields }: Pick<StoredTable, 'table_fields'>): IndexPlan => ({
  slots: assignSlots(table_fields, undefined, true),
  search_index: { generation: 0, counted: countedFields({ table_fields }) },
})

/**
 * What becomes of slots, guards, postings and counters when a table changes to `next` at `version`, and whether its records
 * have to be gone through for it: then writers follow the new plan from now on, and readers do without what is not complete.
 */
export function planIndexes(
  before: Table,
  next: Fields,
  version: number,
  isEmpty: boolean,
): IndexPlan & { readonly needsRebuild: boolean } {
  const slots = assignSlots(next.table_fields, before, isEmpty)
  const turned = next.table_fields
    .filter(({ name, unique }) => unique && !before.uniqueFields.includes(name))
    .map(({ name }) => name)
  const unique_since = sinceOf(before, next.table_fields, turned, version)
  const { generation, replaced, counted } = before.search_index
  if (isEmpty) {
    return { slots, unique_since, search_index: { generation, counted: countedFields(next) }, needsRebuild: false }
  }
  const live = new Set(countedFields(next))
  const search_index: SearchIndexState = {
    generation,
    ...(replaced && { replaced }),
    counted: counted.filter((name) => live.has(name)),
  }
  const stillBecoming = (before.becoming_unique ?? []).filter((name) =>
    next.table_fields.some((field) => field.name === name && field.unique),
  )
  const becoming_unique = [...stillBecoming, ...turned.filter((name) => hasValues(before, name))]
  const changes =
    slotsDiffer(before.writtenSlots, slots) ||
    turned.some((name) => hasValues(before, name)) ||
    !isDeepStrictEqual(searchedFields(before), searchedFields(next))
  const isComplete =
    slots.every((slot) => slot.covers_missing && !slot.building) &&
    becoming_unique.length === 0 &&
    search_index.counted.length === live.size
  return {
    slots,
    search_index,
    becoming_unique,
    unique_since,
    needsRebuild: changes || (!isComplete && !before.rebuilding) || countsMore(before, live),
  }
}

/** A field that turned unique holds its values under a name of its own: guards of an earlier time say nothing any more. */
function sinceOf(
  before: Table,
  fields: readonly Field[],
  turned: readonly string[],
  version: number,
): Record<string, number> {
  const kept = Object.entries(before.unique_since ?? {}).filter(
    ([name]) => !fields.some((field) => field.name === name && !field.unique),
  )
  return { ...Object.fromEntries(kept), ...Object.fromEntries(turned.map((name) => [name, version])) }
}

const hasValues = (before: Table, name: string): boolean =>
  [...before.table_fields, ...before.retired].some((field) => field.name === name)

const slotsDiffer = (before: readonly SlotAssignment[], after: readonly SlotAssignment[]): boolean =>
  before.length !== after.length ||
  after.some(({ field, slot }) => !before.some((other) => other.field === field && other.slot === slot))

/** Whether a value is counted that nobody counted before, so that a rebuild under way may have passed it by. */
const countsMore = (before: Table, live: ReadonlySet<string>): boolean => {
  const known = new Set(countedFields(before))
  return [...live].some((name) => !known.has(name))
}

import { isDeepStrictEqual } from 'node:util'
import type { Field } from '../schema.ts'
import type { SearchIndexState, SlotAssignment, StoredTable, Table } from '../table.ts'
import { assignSlots } from './assign-slots.ts'
import { countedFields } from './counted-fields.ts'
import { searchedFields } from './searched-fields.ts'

/** The part of a table's configuration that describes what is derived from its records. */
export type IndexPlan = Pick<StoredTable, 'slots' | 'search_index' | 'becoming_unique' | 'unique_since'>

type Fields = Pick<StoredTable, 'table_fields' | 'title_field'>

/** The indexes of a new table, all complete: it has no records. */
export const indexesOfNew = ({ table_fields }: Pick<StoredTable, 'table_fields'>): IndexPlan => ({
  slots: assignSlots(table_fields, undefined, true),
  search_index: { generation: 0, counted: countedFields({ table_fields }) },
})

/**
 * Plans slots, unique guards, postings and counters for a change of a table to `next` at `version`, and tells whether
 * its records must be rebuilt for it. During a rebuild writers follow the new plan, and readers do not use what is
 * incomplete.
 */
export function planIndexes(
  before: Table,
  next: Fields,
  version: number,
  isEmpty: boolean,
): IndexPlan & { readonly needsRebuild: boolean } {
  const slots = assignSlots(next.table_fields, before, isEmpty)
  const newlyUnique = next.table_fields
    .filter(({ name, unique }) => unique && !before.uniqueFields.includes(name))
    .map(({ name }) => name)
  const unique_since = uniqueSince(before, next.table_fields, newlyUnique, version)
  const { generation, replaced, counted } = before.search_index
  if (isEmpty) {
    return { slots, unique_since, search_index: { generation, counted: countedFields(next) }, needsRebuild: false }
  }
  const wanted = new Set(countedFields(next))
  const search_index: SearchIndexState = {
    generation,
    ...(replaced && { replaced }),
    counted: counted.filter((name) => wanted.has(name)),
  }
  const stillBecoming = (before.becoming_unique ?? []).filter((name) =>
    next.table_fields.some((field) => field.name === name && field.unique),
  )
  const becoming_unique = [...stillBecoming, ...newlyUnique.filter((name) => hasValues(before, name))]
  const changes =
    slotsDiffer(before.writtenSlots, slots) ||
    newlyUnique.some((name) => hasValues(before, name)) ||
    !isDeepStrictEqual(searchedFields(before), searchedFields(next))
  const isComplete =
    slots.every((slot) => slot.covers_missing && !slot.building) &&
    becoming_unique.length === 0 &&
    search_index.counted.length === wanted.size
  return {
    slots,
    search_index,
    becoming_unique,
    unique_since,
    needsRebuild: changes || (!isComplete && !before.rebuilding) || countsMore(before, wanted),
  }
}

/**
 * The versions at which fields became unique. They are part of the guards' keys, so that guards of an earlier time are
 * void.
 */
function uniqueSince(
  before: Table,
  fields: readonly Field[],
  newlyUnique: readonly string[],
  version: number,
): Record<string, number> {
  const kept = Object.entries(before.unique_since ?? {}).filter(
    ([name]) => !fields.some((field) => field.name === name && !field.unique),
  )
  return { ...Object.fromEntries(kept), ...Object.fromEntries(newlyUnique.map((name) => [name, version])) }
}

const hasValues = (before: Table, name: string): boolean =>
  [...before.table_fields, ...before.retired].some((field) => field.name === name)

const slotsDiffer = (before: readonly SlotAssignment[], after: readonly SlotAssignment[]): boolean =>
  before.length !== after.length ||
  after.some(({ field, slot }) => !before.some((other) => other.field === field && other.slot === slot))

/** Whether a field is counted that was not before: a rebuild in flight may have passed records without counting it. */
const countsMore = (before: Table, wanted: ReadonlySet<string>): boolean => {
  const known = new Set(countedFields(before))
  return [...wanted].some((name) => !known.has(name))
}

import { fieldSlots, firstFieldSlot } from '../store/slots.ts'
import type { Field } from './schema.ts'
import { indexedByDefault, neverIndexed, type SlotAssignment, type Table } from './table.ts'

/** Whether a field wants an index: said so, or by its type. */
export const wantsIndex = (field: Field): boolean =>
  !neverIndexed.has(field.type) && (field.indexed ?? indexedByDefault.has(field.type))

const allSlots = Array.from({ length: fieldSlots }, (_, index) => firstFieldSlot + index)

/**
 * Gives the first twelve eligible fields a slot. While a table holds records a field keeps the slot it has, also while it is
 * retired and nobody else needs it. A field that is new takes a free one and is readable at once, but for the records
 * without a value; one that has values already stays out of sight until every record has been written into its slot.
 */
export function assignSlots(fields: readonly Field[], before: Table | undefined, isEmpty: boolean): SlotAssignment[] {
  const wanted = fields.filter(wantsIndex).slice(0, fieldSlots)
  if (isEmpty || !before)
    return wanted.map(({ name }, index) => ({ field: name, slot: firstFieldSlot + index, covers_missing: true }))
  const names = new Set(wanted.map(({ name }) => name))
  const kept = before.writtenSlots.filter(({ field }) => names.has(field))
  const isRetired = (name: string): boolean => !fields.some((field) => field.name === name)
  const resting = before.writtenSlots.filter(({ field, building }) => isRetired(field) && !building)
  const taken = new Set([...kept, ...resting].map(({ slot }) => slot))
  const available = [...allSlots.filter((slot) => !taken.has(slot)), ...resting.map(({ slot }) => slot)]
  const hasValues = new Set([...before.table_fields, ...before.retired].map(({ name }) => name))
  const placed = wanted
    .filter(({ name }) => !kept.some(({ field }) => field === name))
    .map(({ name }, index): SlotAssignment => ({
      field: name,
      slot: available[index] as number,
      covers_missing: false,
      ...(hasValues.has(name) && { building: true }),
    }))
  const reused = new Set(placed.map(({ slot }) => slot))
  return [...kept, ...resting.filter(({ slot }) => !reused.has(slot)), ...placed]
}

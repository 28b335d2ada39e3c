import { fieldSlots, firstFieldSlot } from '../../store/slots.ts'
import type { Field } from '../schema.ts'
import { indexedByDefault, neverIndexed, type SlotAssignment, type Table } from '../table.ts'

/** Whether a field wants an index, by its `indexed` setting or else by its type. */
export const wantsIndex = (field: Field): boolean =>
  !neverIndexed.has(field.type) && (field.indexed ?? indexedByDefault.has(field.type))

const allSlots = Array.from({ length: fieldSlots }, (_, index) => firstFieldSlot + index)

/**
 * Assigns slots to the first twelve eligible fields. While a table has records, a field keeps its slot, even a retired
 * field until another one needs the slot. A new field is readable at once, except for records without a value. A field
 * that already has values is `building`, and not readable, until every record has been written into its slot.
 */
export function assignSlots(fields: readonly Field[], before: Table | undefined, isEmpty: boolean): SlotAssignment[] {
  const wanted = fields.filter(wantsIndex).slice(0, fieldSlots)
  if (isEmpty || !before)
    return wanted.map(({ name }, index) => ({ field: name, slot: firstFieldSlot + index, covers_missing: true }))
  const names = new Set(wanted.map(({ name }) => name))
  const kept = before.writtenSlots.filter(({ field }) => names.has(field))
  const isRetired = (name: string): boolean => !fields.some((field) => field.name === name)
  const retained = before.writtenSlots.filter(({ field, building }) => isRetired(field) && !building)
  const used = new Set([...kept, ...retained].map(({ slot }) => slot))
  const available = [...allSlots.filter((slot) => !used.has(slot)), ...retained.map(({ slot }) => slot)]
  const hasValues = new Set([...before.table_fields, ...before.retired].map(({ name }) => name))
  const added = wanted
    .filter(({ name }) => !kept.some(({ field }) => field === name))
    .map(({ name }, index): SlotAssignment => ({
      field: name,
      slot: available[index] as number,
      covers_missing: false,
      ...(hasValues.has(name) && { building: true }),
    }))
  const reused = new Set(added.map(({ slot }) => slot))
  return [...kept, ...retained.filter(({ slot }) => !reused.has(slot)), ...added]
}

import { fieldSlots, firstFieldSlot } from '../store/slots.ts'
import type { Field } from './schema.ts'
import { indexedByDefault, neverIndexed, type SlotAssignment, type Table } from './table.ts'

/** Whether a field wants an index: said so, or by its type. */
export const wantsIndex = (field: Field): boolean => !neverIndexed.has(field.type) && (field.indexed ?? indexedByDefault.has(field.type))

const allSlots = Array.from({ length: fieldSlots }, (_, index) => firstFieldSlot + index)

/**
 * Gives the first twelve eligible fields a slot. While a table holds records nothing stored may have to be written again: a
 * field keeps the slot it has, also while it is retired and nobody else needs it; a new field takes a free one; a field
 * that comes back after its slot went to another has none.
 */
export function assignSlots(fields: readonly Field[], before: Table | undefined, isEmpty: boolean): SlotAssignment[] {
  const eligible = fields.filter(wantsIndex)
  if (isEmpty || !before) {
    return eligible.slice(0, fieldSlots).map(({ name }, index) => ({ field: name, slot: firstFieldSlot + index, covers_missing: true }))
  }
  const live = new Set(eligible.map(({ name }) => name))
  const kept = before.slots.filter(({ field }) => live.has(field))
  const resting = before.slots.filter(({ field }) => !live.has(field) && !fields.some(({ name }) => name === field))
  const cameBack = new Set(before.retired.map(({ name }) => name))
  const known = new Set([...before.slots.map(({ field }) => field), ...before.fieldsByName.keys()])
  const added = eligible.filter(({ name }) => !known.has(name) && !cameBack.has(name))
  const taken = new Set([...kept, ...resting].map(({ slot }) => slot))
  const available = [...allSlots.filter((slot) => !taken.has(slot)), ...resting.map(({ slot }) => slot)]
  const placed = added
    .slice(0, available.length)
    .map(({ name }, index) => ({ field: name, slot: available[index] as number, covers_missing: false }))
  const reused = new Set(placed.map(({ slot }) => slot))
  return [...kept, ...resting.filter(({ slot }) => !reused.has(slot)), ...placed]
}

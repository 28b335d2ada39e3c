import type { TenantRef } from '../../kernel/tenancy.ts'
import type { Change, Condition } from './client/write.ts'
import { type ChangeSort, changePartitionOf, changeSort } from './keys/columns.ts'
import type { Key } from './keys/key.ts'
import type { Item } from './values/marshal.ts'
import { equals } from './writes/conditions.ts'

/*
 * The single table has twenty sparse KEYS_ONLY indexes, the slots. An item is in a slot when it has both attributes of
 * its index, so one PutItem maintains every index of an item. Items of several kinds share a slot: their partitions
 * differ.
 */
/** The latest change of every record, living or gone. */
export const changeSlot = 2
export const trailSlots = { byTime: 15, byUser: 16, byModel: 17 } as const
export const linkSlot = 15
/** Comments by id, and what else is known of discussions, for the export of a tenant. */
export const commentSlot = 15
/** What belongs to a person and no key names: rows of sign-ins by user or address, intents by recipient. */
export const personSlot = 19
/** Items with a due time: each kind has its own partitions, and sort keys begin with the due time. */
export const dueSlot = 20
export const instanceSlots = { byStatus: 15, ofTemplate: 16 } as const
export const taskSlots = { ofRecord: 15, byStatus: 16, ofAssignee: 17 } as const
export const deliverySlots = { byStatus: 15, ofChannel: 16, ofRecord: 17 } as const
export const messageSlots = { byState: 15, byChannel: 16, bySender: 17, waiting: 18 } as const
export const incidentSlot = 15
export const incidentOfInstanceSlot = 16
export const incidentOfRecordSlot = 17
/** Batches of changes, of a tenant and of one user, by id. */
export const batchSlots = { all: 15, ofUser: 16 } as const
/** Jobs by status. */
export const jobSlot = 15
/** What happened in the steps of the processes of a record. */
export const stepSlot = 15
/** What operators did to the processes of a record. */
export const operationSlot = 15
/** The runs of scripts for a record. */
export const scriptRunSlot = 15

const twoDigits = (slot: number): string => String(slot).padStart(2, '0')
/** The index of a slot. */
export const slotName = (slot: number): string => `slot${twoDigits(slot)}`
/** The partition and sort attributes of a slot's index. */
export const slotAttributes = (index: string): { readonly partition: string; readonly sort: string } => ({
  partition: `p${index.slice(-2)}`,
  sort: `s${index.slice(-2)}`,
})

/** Below every character of an escaped value, so that a value sorts before every longer one that starts with it. */
export const separator = '\u0001'
/** Above every other text in UTF-8: records without a value come last. */
export const missingValue = '\u{10FFFF}'
export const maxValueBytes = 512

export type IndexedValue = string | number | boolean | null | undefined

/**
 * A value as text whose byte order is the value's order. Text is cut to 512 bytes; readers check the whole on the
 * record.
 */
export function orderedText(value: IndexedValue): string {
  if (value === null || value === undefined) return missingValue
  if (typeof value === 'number') return orderedNumber(value)
  if (typeof value === 'boolean') return value ? '1' : '0'
  return cutToBytes(escaped(value), maxValueBytes)
}

/** The separator and its neighbours anywhere; the marks of a missing value at the start. */
// oxlint-disable-next-line no-control-regex -- the separator and its neighbours are control characters
const special = /[\u0000-\u0002]|^[\u{10FFFE}\u{10FFFF}]/gu

/** Escapes the separator and the marks of a missing value, without changing the order of texts. */
export const escaped = (text: string): string =>
  text.replace(special, (character) =>
    character <= '\u0002' ? `\u0002${character.charCodeAt(0)}` : `\u{10FFFE}${character}`,
  )

/**
 * IEEE 754 bits as 16 hex digits, with the sign bit flipped (all bits for negatives), so that text order is number
 * order.
 */
function orderedNumber(value: number): string {
  const view = new DataView(new ArrayBuffer(8))
  view.setFloat64(0, value === 0 ? 0 : value)
  const bits = view.getBigUint64(0)
  const ordered = bits >> 63n === 1n ? ~bits & 0xffff_ffff_ffff_ffffn : bits | (1n << 63n)
  return ordered.toString(16).padStart(16, '0')
}

/** The longest prefix of a text that fits into so many bytes, in whole characters. */
export function cutToBytes(text: string, bytes: number): string {
  if (text.length * 3 <= bytes || Buffer.byteLength(text) <= bytes) return text
  let cut = 0
  let used = 0
  for (const character of text) {
    used += Buffer.byteLength(character)
    if (used > bytes) break
    cut += character.length
  }
  return text.slice(0, cut)
}

/** The two attributes of an item's entry in a slot. */
export const slotEntry = (slot: number, partition: string, sort: string): Record<string, string> => ({
  [`p${twoDigits(slot)}`]: partition,
  [`s${twoDigits(slot)}`]: sort,
})

/** The two attributes of a record's, or tombstone's, entry in the change slot. */
export const changeEntry = (tenant: TenantRef, model: string, change: ChangeSort): Record<string, string> =>
  slotEntry(changeSlot, changePartitionOf(tenant, model, change.id), changeSort(change))

/** The two attributes of an item's entry among what belongs to a person. */
export const personEntry = (partition: string, { pk }: Pick<Key, 'pk'>): Record<string, string> =>
  slotEntry(personSlot, partition, pk)

/** The two attributes of an item's entry in the due slot. */
export const dueEntry = ({ pk, sk }: Key): Record<string, string> => slotEntry(dueSlot, pk, sk)

/** The sort key of an item in a slot. */
export const slotSort = (item: Item, slot: number): string => String(item[`s${twoDigits(slot)}`])

/** The SET clause of an update that puts an item into a slot. */
export function setSlot(slot: number, partition: string, sort: string): Change {
  const [p, s] = [`p${twoDigits(slot)}`, `s${twoDigits(slot)}`]
  return { expression: `${p} = :${p}, ${s} = :${s}`, values: { [`:${p}`]: partition, [`:${s}`]: sort } }
}

/** The same for an item that stays where it is when it is in the slot already. */
export function setSlotOnce(slot: number, partition: string, sort: string): Change {
  const [p, s] = [`p${twoDigits(slot)}`, `s${twoDigits(slot)}`]
  return {
    expression: `${p} = if_not_exists(${p}, :${p}), ${s} = if_not_exists(${s}, :${s})`,
    values: { [`:${p}`]: partition, [`:${s}`]: sort },
  }
}

/** The SET clause of an update that changes an item's sort key in a slot, within its partition. */
export const moveInSlot = (slot: number, sort: string): Change => ({
  expression: `s${twoDigits(slot)} = :s${twoDigits(slot)}`,
  values: { [`:s${twoDigits(slot)}`]: sort },
})

/** How often the sweeper took an item since its work last succeeded or began. In a REMOVE clause it begins anew. */
export const dueTaken = 'due_taken'

/** The REMOVE clause of an update that takes an item out of a slot. */
export const removeSlot = (slot: number): string =>
  `p${twoDigits(slot)}, s${twoDigits(slot)}${slot === dueSlot ? `, ${dueTaken}` : ''}`

/** Holds while the item has this sort key in the slot. */
export const sortedAt = (slot: number, sort: string): Condition => equals(`s${twoDigits(slot)}`, sort)

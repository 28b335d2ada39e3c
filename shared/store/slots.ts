import type { TenantRef } from '../kernel/tenancy.ts'
import { equals } from './conditions.ts'
import { idText, type Key } from './keys/key.ts'
import { slotPartition } from './keys/records.ts'
import type { Item } from './marshal.ts'
import type { Change, Condition } from './write.ts'

/*
 * Twenty sparse KEYS_ONLY indexes are made with the table. A record writes an entry for every field its table assigned a
 * slot: p = the field's partition, s = <value, ordered>, separator, <id>. One PutItem so maintains every index.
 */
export const createdBySlot = 1
export const updatedAtSlot = 2
export const firstFieldSlot = 3
export const fieldSlots = 12
/** Also used by items of other kinds: their partitions differ. */
export const createdAtSlot = 15
export const trailSlots = { byTime: 15, byUser: 16, byModel: 17 } as const
export const linkSlot = 15
export const goneSlot = 18
/** Whatever waits for a moment: each kind has partitions of its own, and its sort keys begin with the moment. */
export const dueSlot = 20
export const instanceSlots = { byStatus: 15, ofTemplate: 16 } as const
export const taskSlots = { ofRecord: 15, byStatus: 16, ofAssignee: 17 } as const
export const incidentSlot = 15
export const incidentOfInstanceSlot = 16

const twoDigits = (slot: number): string => String(slot).padStart(2, '0')
/** The index of a slot. */
export const slotName = (slot: number): string => `slot${twoDigits(slot)}`
/** The partition and sort attributes of a slot's index. */
export const slotAttributes = (index: string): { readonly partition: string; readonly sort: string } => ({
  partition: `p${index.slice(-2)}`,
  sort: `s${index.slice(-2)}`,
})

/** Below every character a value is written with, so that a value sorts before every longer one that begins with it. */
export const separator = '\u0001'
/** Above every other text in UTF-8: records without a value come last. */
export const missingValue = '\u{10FFFF}'
export const maxValueBytes = 512

export type IndexedValue = string | number | boolean | null | undefined

/** A value as text whose byte order is the value's order; longer text is cut to 512 bytes and checked again on the record. */
export function orderedText(value: IndexedValue): string {
  if (value === null || value === undefined) return missingValue
  if (typeof value === 'number') return orderedNumber(value)
  if (typeof value === 'boolean') return value ? '1' : '0'
  return cutToBytes(escaped(value), maxValueBytes)
}

/** The separator and its neighbours anywhere, and what a missing value is marked with at the beginning. */
// oxlint-disable-next-line no-control-regex -- the separator and its neighbours are control characters
const special = /[\u0000-\u0002]|^[\u{10FFFE}\u{10FFFF}]/gu

/** Keeps the separator and the mark of a missing value out of values, without changing their order. */
export const escaped = (text: string): string =>
  text.replace(special, (character) =>
    character <= '\u0002' ? `\u0002${character.charCodeAt(0)}` : `\u{10FFFE}${character}`,
  )

/** The number that an ordered text was made of. */
export function numberOf(ordered: string): number {
  const bits = BigInt(`0x${ordered}`)
  const view = new DataView(new ArrayBuffer(8))
  view.setBigUint64(0, bits >> 63n === 1n ? bits ^ (1n << 63n) : ~bits & 0xffff_ffff_ffff_ffffn)
  return view.getFloat64(0)
}

/** IEEE 754 bits as 16 hex digits, with the sign bit turned (all bits for negatives), so that text order is number order. */
function orderedNumber(value: number): string {
  const view = new DataView(new ArrayBuffer(8))
  view.setFloat64(0, value === 0 ? 0 : value)
  const bits = view.getBigUint64(0)
  const ordered = bits >> 63n === 1n ? ~bits & 0xffff_ffff_ffff_ffffn : bits | (1n << 63n)
  return ordered.toString(16).padStart(16, '0')
}

/** The longest beginning of a text that holds no more than so many bytes, whole characters only. */
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

/** The two attributes that put an item into a slot. */
export const slotEntry = (slot: number, partition: string, sort: string): Record<string, string> => ({
  [`p${twoDigits(slot)}`]: partition,
  [`s${twoDigits(slot)}`]: sort,
})

/** The two attributes that put an item among what is due. */
export const dueEntry = ({ pk, sk }: Key): Record<string, string> => slotEntry(dueSlot, pk, sk)

/** The sort key that an item has in a slot. */
export const slotSort = (item: Item, slot: number): string => String(item[`s${twoDigits(slot)}`])

/** The SET clause of an update that puts an item into a slot. */
export function setSlot(slot: number, partition: string, sort: string): Change {
  const [p, s] = [`p${twoDigits(slot)}`, `s${twoDigits(slot)}`]
  return { expression: `${p} = :${p}, ${s} = :${s}`, values: { [`:${p}`]: partition, [`:${s}`]: sort } }
}

/** The SET clause of an update that moves an item to another sort key of the partition it is in. */
export const moveInSlot = (slot: number, sort: string): Change => ({
  expression: `s${twoDigits(slot)} = :s${twoDigits(slot)}`,
  values: { [`:s${twoDigits(slot)}`]: sort },
})

/** The REMOVE clause of an update that takes an item out of a slot. */
export const removeSlot = (slot: number): string => `p${twoDigits(slot)}, s${twoDigits(slot)}`

/** Holds while the item has this sort key in the slot. */
export const sortedAt = (slot: number, sort: string): Condition => equals(`s${twoDigits(slot)}`, sort)

/** Whether an attribute belongs to a slot that records use: later slots belong to other kinds of items and to what is due. */
export const isRecordSlotAttribute = (name: string): boolean =>
  /^[ps]\d\d$/.test(name) && Number(name.slice(1)) <= createdAtSlot

/** The entry of one indexed field of a record. */
export const recordSlotEntry = (
  slot: number,
  tenant: TenantRef,
  model: string,
  field: string,
  value: IndexedValue,
  id: number,
) => slotEntry(slot, slotPartition(tenant, model, field), `${orderedText(value)}${separator}${idText(id)}`)

/** The start of every slot key that holds exactly this value. */
export const slotPrefix = (value: IndexedValue): string => `${orderedText(value)}${separator}`

/** The ordered value in a slot key: what precedes the separator and the id's twelve digits. */
export const valueOfSlotKey = (sort: string): string => sort.slice(0, -13)

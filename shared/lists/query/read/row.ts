import { log } from '../../../kernel/runtime/log.ts'
import { addSizes, sizeOfText, type AnswerSize } from '../../../platform/http/routing/answer-size.ts'
import { isLiving, readRecordData, recordDataText } from '../../../platform/store/rows/record-row.ts'
import type { NamedFields } from '../../../platform/store/rows/stored-names.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'

/** A record as queries read it; its fields are parsed when first used. */
export interface Row {
  readonly id: number
  readonly item: Item
  readonly data: Readonly<Record<string, unknown>>
  /** The referenced records that the query uses, by `relatedName` of the reference. */
  related?: ReadonlyMap<string, Row>
}

/** A class: with a getter per object, V8 would keep what each getter closes over until the next full collection. */
class StoredRow implements Row {
  readonly id: number
  readonly item: Item
  related?: Row['related']
  readonly #table: NamedFields
  #data: Row['data'] | undefined

  constructor(item: Item, table: NamedFields) {
    this.id = Number(item.sk)
    this.item = item
    this.#table = table
  }

  get data(): Row['data'] {
    return (this.#data ??= readRecordData(this.item, this.#table))
  }
}

/** A record as a row; undefined when there is none or it is being deleted. */
export const rowOf = (item: Item | null | undefined, table: NamedFields): Row | undefined =>
  isLiving(item) ? new StoredRow(item, table) : undefined

/**
 * The same for a record that is listed, whose fields are all needed: undefined also when they are unreadable. One such
 * record must not keep the others of a list from being answered.
 */
export function readableRowOf(item: Item | null | undefined, table: NamedFields): Row | undefined {
  const row = rowOf(item, table)
  try {
    return row?.data && row
  } catch (cause) {
    log.error('a list leaves out a record that is unreadable', cause, { record_id: row?.id })
    return undefined
  }
}

/** A user as a row with only its name. */
export const userRow = (item: Item | undefined): Row | undefined =>
  item && { id: Number(item.sk), item, data: { name: item.name } }

/** The approximate size of a record's standard members in an answer. */
const standardSize: AnswerSize = { bytes: 300, carried: 350 }

/** The size of a record in an answer. */
export const sizeOf = (row: Row): AnswerSize => addSizes(sizeOfText(recordDataText(row.item)), standardSize)

/** The approximate size of a record in memory, in characters. */
export const lengthOf = (row: Row): number => recordDataText(row.item).length + 300

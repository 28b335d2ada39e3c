import { addSizes, sizeOfText, type AnswerSize } from '../../http/routing/answer-size.ts'
import type { Item } from '../../store/marshal.ts'
import { isLiving, readRecordData, recordDataText } from '../../store/rows/record-row.ts'

/** A stored record as a query reads it; its fields are parsed only when something asks for one. */
export interface Row {
  readonly id: number
  readonly item: Item
  readonly data: Readonly<Record<string, unknown>>
  /** What the fields of the query that step into a reference point at, by the name of the reference. */
  related?: ReadonlyMap<string, Row>
}

/** A class, because every object that brings a getter of its own has V8 keep what that sees until the next full collection. */
class StoredRow implements Row {
  readonly id: number
  readonly item: Item
  related?: Row['related']
  #data: Row['data'] | undefined

  constructor(item: Item) {
    this.id = Number(item.sk)
    this.item = item
  }

  get data(): Row['data'] {
    return (this.#data ??= readRecordData(this.item))
  }
}

/** undefined when there is no record, or its delete has begun. */
export const rowOf = (item: Item | null | undefined): Row | undefined =>
  isLiving(item) ? new StoredRow(item) : undefined

/** A user as a query sees one: by name only, as history names people too. */
export const userRow = (item: Item | undefined): Row | undefined =>
  item && { id: Number(item.sk), item, data: { name: item.name } }

/** Standard members of a record in an answer, near enough. */
const standardSize: AnswerSize = { bytes: 300, carried: 350 }

/** What of an answer a record takes. */
export const sizeOf = (row: Row): AnswerSize => addSizes(sizeOfText(recordDataText(row.item)), standardSize)

/** What of the memory a record takes, near enough. */
export const lengthOf = (row: Row): number => recordDataText(row.item).length + 300

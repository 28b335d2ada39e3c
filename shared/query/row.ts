import { addSizes, sizeOfText, type AnswerSize } from '../http/answer-size.ts'
import type { Item } from '../store/marshal.ts'

/** A stored record as a query reads it; its fields are parsed only when something asks for one. */
export interface Row {
  readonly id: number
  readonly item: Item
  readonly data: Readonly<Record<string, unknown>>
  /** What the fields of the query that step into a reference point at, by the name of the reference. */
  related?: ReadonlyMap<string, Row>
}

/** undefined when there is no record, or its delete has begun. */
export function rowOf(item: Item | null | undefined): Row | undefined {
  if (!item || item.deleted_at !== undefined) return undefined
  let data: Row['data'] | undefined
  return {
    id: Number(item.sk),
    item,
    get data() {
      return (data ??= JSON.parse(String(item.data)) as Row['data'])
    },
  }
}

/** A user as a query sees one: by name only, as history names people too. */
export const userRow = (item: Item | undefined): Row | undefined => item && { id: Number(item.sk), item, data: { name: item.name } }

/** Standard members of a record in an answer, near enough. */
const standardSize: AnswerSize = { bytes: 300, carried: 350 }

/** What of an answer a record takes. */
export const sizeOf = (row: Row): AnswerSize => addSizes(sizeOfText(String(row.item.data)), standardSize)

/** What of the memory a record takes, near enough. */
export const lengthOf = (row: Row): number => String(row.item.data).length + 300

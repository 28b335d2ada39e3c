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

/** How many bytes of an answer a record takes, near enough. */
export const sizeOf = (row: Row): number => String(row.item.data).length + 300

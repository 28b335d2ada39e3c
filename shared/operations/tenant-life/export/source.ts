import * as z from 'zod'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import type { KeyRange } from '../../../platform/store/client/key-range.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'

/** Where a source continues: a number, or a key, or the number of a range and a key in it. */
export const Cursor = z.object({ at: z.int(), after: z.record(z.string(), z.string()).optional() })
export type Cursor = z.output<typeof Cursor>

/** A row that stays packed until it is written: a few kilobytes of it may be megabytes. */
export interface PackedRow {
  json(): Promise<string>
}

/** Rows of one file of the archive, without its number and extension: `records/requests`. */
export interface Rows {
  readonly file: string
  readonly rows: readonly (object | PackedRow)[]
}

/** A file of records, by its path, which is its key in the bucket too. */
export interface FileContent {
  readonly path: string
}

export interface SourcePage {
  /** Those that are read piece by piece are never in memory together. */
  readonly rows: readonly Rows[] | AsyncIterable<Rows>
  readonly files?: readonly FileContent[]
  /** The cursor of the next page; null after the last one. */
  readonly next: Cursor | null
}

/** A part of what a tenant has, read page by page. A page takes some megabytes at most. */
export interface Source {
  readonly name: string
  /** The page at a cursor, or the first one. Reads the same again for the same cursor, apart from changes. */
  readonly read: (cursor: Cursor | null) => Promise<SourcePage>
}

const perPage = 500

/** The items of ranges, one range after the other. `toRows` makes the rows of a page. */
export function rangeSource(
  store: Pick<Store, 'query'>,
  tenant: TenantRef,
  name: string,
  ranges: readonly KeyRange[],
  toRows: (items: readonly Item[]) => Promise<readonly Rows[]> | SourcePage['rows'],
): Source {
  return {
    name,
    async read(cursor) {
      const { at, after } = cursor ?? { at: 0 }
      const range = ranges[at]
      if (!range) return { rows: [], next: null }
      const { items, last } = await store.query(tenant, { ...range, limit: perPage, ...(after && { after }) })
      const next = last ? { at, after: { ...last } } : at + 1 < ranges.length ? { at: at + 1 } : null
      return { rows: await toRows(items), next }
    },
  }
}

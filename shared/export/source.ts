import { listedRecords } from '../entities/listed-record.ts'
import { askerOf } from '../entities/list-records.ts'
import type { Query } from '../query/parse-query.ts'
import type { ListedRecord, RawQuery } from '../query/schema.ts'
import type { Queries } from '../query/service.ts'
import type { Tables } from '../tables/service.ts'
import { referencedTable, type Table } from '../tables/table.ts'
import type { Caller, Tenant } from '../tenancy.ts'

export interface SourceDependencies {
  readonly tables: Pick<Tables, 'need' | 'find'>
  readonly queries: Pick<Queries, 'parse' | 'page'>
}

/** In whose name is read, in a form that a job can keep: the tables that references may be followed into among it. */
export interface ExportReader {
  readonly userId: number
  readonly orgUnitIds: readonly number[]
  readonly readable: readonly string[]
}

export function readerOf(caller: Caller, table: Table): ExportReader {
  const targets = new Set(table.table_fields.flatMap((field) => referencedTable(field) ?? []))
  return { userId: caller.userId, orgUnitIds: caller.orgUnitIds, readable: [...targets].filter(askerOf(caller).mayRead) }
}

export interface ExportPage {
  readonly records: readonly ListedRecord[]
  readonly nextCursor: string | null
}

/** Records that are read at once; a page ends earlier when they are large. */
const pageSize = 1000

/** Opens a list for reading from its beginning to its end. Throws Invalid naming what is wrong with the query. */
export async function openSource({ tables, queries }: SourceDependencies, tenant: Tenant, table: Table, reader: ExportReader, raw: RawQuery) {
  const readable = new Set([table.name, ...reader.readable])
  const query: Query = await queries.parse({ tenant, userId: reader.userId, orgUnitIds: reader.orgUnitIds, mayRead: (name) => readable.has(name) }, table, raw)

  /** The records behind a cursor. `isUnbounded`: reads a whole table when no index helps; otherwise that is Invalid. */
  return async (cursor: string | null, isUnbounded: boolean): Promise<ExportPage> => {
    const page = await queries.page(tenant, table, query, { offset: 0, limit: pageSize, cursor }, { wantsTotal: false, isUnbounded })
    const records = await listedRecords(page.rows, table, query.selection, page.related, (name) => tables.find(tenant, name))
    return { records, nextCursor: page.nextCursor }
  }
}

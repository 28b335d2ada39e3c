import type { Viewer } from '../../kernel/principal.ts'
import type { ListedRecord, RawQuery } from '../../query/schema.ts'
import type { Query, Queries } from '../../query/service.ts'
import { listedRecords } from '../../records/service.ts'
import type { Tables, Table } from '../../tables/service.ts'

export interface ExportListDependencies {
  readonly tables: Pick<Tables, 'require' | 'find'>
  readonly queries: Pick<Queries, 'parse' | 'page'>
}

export interface ExportPage {
  readonly records: readonly ListedRecord[]
  readonly nextCursor: string | null
}

/** Records per page; a page of large records is shorter. */
const pageSize = 1000

/**
 * Opens a list that a viewer may see, to read it page by page. `readable`: the fields that the viewer may read;
 * undefined: all. Throws Invalid naming what is wrong with the query.
 */
export async function openExportList(
  { tables, queries }: ExportListDependencies,
  viewer: Viewer,
  table: Table,
  raw: RawQuery,
) {
  const { tenant } = viewer
  const query: Query = await queries.parse(viewer, table, raw)

  /** The page after a cursor. */
  async function read(cursor: string | null): Promise<ExportPage> {
    const page = await queries.page(tenant, table, query, { offset: 0, limit: pageSize, cursor })
    const records = await listedRecords(page.rows, table, query.selection, page.related, (name) =>
      tables.find(tenant, name),
    )
    return { records, nextCursor: page.nextCursor }
  }

  return { read, readable: query.selection.readable }
}

import type { Viewer } from '../../kernel/principal.ts'
import type { ListedRecord, RawQuery } from '../../query/schema.ts'
import type { Query, Queries } from '../../query/service.ts'
import { listedRecords } from '../../records/service.ts'
import type { Tables, Table } from '../../tables/service.ts'

export interface SourceDependencies {
  readonly tables: Pick<Tables, 'require' | 'find'>
  readonly queries: Pick<Queries, 'parse' | 'page'>
}

export interface ExportPage {
  readonly records: readonly ListedRecord[]
  readonly nextCursor: string | null
}

/** Records that are read at once; a page ends earlier when they are large. */
const pageSize = 1000

/** Opens a list for reading from its beginning to its end, as far as the viewer may see it. Throws Invalid naming what is wrong with the query. */
export async function openSource({ tables, queries }: SourceDependencies, viewer: Viewer, table: Table, raw: RawQuery) {
  const { tenant } = viewer
  const query: Query = await queries.parse(viewer, table, raw)

  /** The records behind a cursor. `isUnbounded`: reads a whole table when no index helps; otherwise that is Invalid. */
  return async (cursor: string | null, isUnbounded: boolean): Promise<ExportPage> => {
    const page = await queries.page(
      tenant,
      table,
      query,
      { offset: 0, limit: pageSize, cursor },
      { wantsTotal: false, isUnbounded },
    )
    const records = await listedRecords(page.rows, table, query.selection, page.related, (name) =>
      tables.find(tenant, name),
    )
    return { records, nextCursor: page.nextCursor }
  }
}

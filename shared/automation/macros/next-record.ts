import type { Caller } from '../../kernel/principal.ts'
import type { Queries } from '../../lists/query/service.ts'
import type { ViewDependencies } from '../../records/views/shared-views.ts'
import { withView } from '../../records/views/use-view.ts'
import type { Table } from '../../tables/tables/table.ts'

/** What finding the next record needs. */
export interface NextDependencies {
  readonly queries: Pick<Queries, 'parse' | 'after'>
  readonly views: ViewDependencies
}

/**
 * The record that follows another one in a view, or in the list of the table without one; null after the last. It is asked
 * for before a macro runs, which may take the record out of the view. Throws NotFound and Invalid for a wrong view.
 */
export async function nextRecord(
  { queries, views }: NextDependencies,
  caller: Caller,
  table: Table,
  id: number,
  view: number | undefined,
): Promise<number | null> {
  const { query } = await withView(views, caller, table.name, { view }, { asRecords: true })
  const { filter, search, sort, without } = query as Parameters<Queries['parse']>[2]
  const parsed = await queries.parse(caller, table, { filter, search, sort, without })
  return (await queries.after(caller.tenant, table, parsed, id)) ?? null
}

import { Forbidden, NotFound } from '../kernel/faults.ts'
import { mayOnTable, type RowRule, type Viewer } from '../kernel/tenancy.ts'
import { rowOf, type QueryViewer, type Queries } from '../query/service.ts'
import type { Item } from '../store/marshal.ts'
import type { Tables } from '../tables/service.ts'
import { applicableFilters } from './applicable-rules.ts'

/** A viewer asks for what the viewer's roles allow. */
export const queryViewerOf = (viewer: Viewer): QueryViewer => ({
  tenant: viewer.tenant,
  userId: viewer.userId,
  orgUnitIds: viewer.orgUnitIds,
  mayRead: (table) => mayOnTable(viewer, table, 'read'),
  rulesOf: (table) => applicableFilters(viewer, table, 'read'),
})

/** All that rules need to know of whoever they limit. */
export type Limited = Pick<Viewer, 'tenant' | 'userId' | 'orgUnitIds' | 'isAdministrator' | 'grants'>
type Action = RowRule['action']
type Items = readonly (Item | null | undefined)[]

export type RowAccess = ReturnType<typeof createRowAccess>

/** Which records a viewer's row rules reach. Who has no rules costs nothing: then nothing more is read. */
export function createRowAccess({
  tables,
  queries,
}: {
  readonly tables: Pick<Tables, 'need'>
  readonly queries: Pick<Queries, 'sift'>
}) {
  const isLimited = (viewer: Pick<Viewer, 'isAdministrator' | 'grants'>, model: string, action: Action): boolean =>
    applicableFilters(viewer, model, action) !== undefined

  /** The living records among these on which `action` is allowed; undefined in place of the others. */
  async function permitted(
    viewer: Limited,
    model: string,
    action: Action,
    items: Items,
  ): Promise<(Item | undefined)[]> {
    const rows = items.map(rowOf)
    const filters = applicableFilters(viewer, model, action)
    if (!filters || rows.every((row) => row === undefined)) return rows.map((row) => row?.item)
    const sifted = await queries.sift(viewer, await tables.need(viewer.tenant, model), filters, rows)
    return sifted.map((row) => row?.item)
  }

  /** Throws NotFound when the record may not be read (or is none), Forbidden when it may but `action` is not allowed. */
  async function need(
    viewer: Limited,
    model: string,
    id: number,
    action: Action,
    item: Item | null | undefined,
  ): Promise<void> {
    const [seen] = await permitted(viewer, model, 'read', [item])
    if (!seen) throw new NotFound('record', { model, id })
    const [allowed] = action === 'read' ? [seen] : await permitted(viewer, model, action, [item])
    if (!allowed) throw new Forbidden('record_forbidden', `Your roles do not allow to ${action} this record.`)
  }

  return { isLimited, permitted, need }
}

import { Forbidden, NotFound } from '../../kernel/failures/faults.ts'
import { mergedRecord } from '../../kernel/failures/merged-record.ts'
import { permissionMissing } from '../../kernel/failures/permission-missing.ts'
import { applicableFilters, mayOnTable, type RowRule } from '../../kernel/permissions.ts'
import type { Viewer } from '../../kernel/principal.ts'
import { rowOf } from '../../lists/query/read/row.ts'
import type { RowFilter } from '../../lists/query/row-filter.ts'
import { asUnmerged, isLiving, readMergedInto } from '../../platform/store/rows/record-row.ts'
import type { Item } from '../../platform/store/values/marshal.ts'
import type { Tables } from '../../tables/tables/read-tables.ts'

type Action = RowRule['action']
type Items = readonly (Item | null | undefined)[]

export type RowAccess = ReturnType<typeof createRowAccess>

/**
 * Tells which records a viewer may read, update and delete: by row rules, and by the permission on the table for what changes
 * them. Reads nothing for a viewer without rules.
 */
export function createRowAccess({
  tables,
  rowFilter,
}: {
  readonly tables: Pick<Tables, 'require'>
  readonly rowFilter: RowFilter
}) {
  const isLimited = (viewer: Pick<Viewer, 'isAdministrator' | 'grants'>, model: string, action: Action): boolean =>
    applicableFilters(viewer, model, action) !== undefined

  /** Whether the permission on the table is no obstacle. Whether it may be read is asked by the route, which knows what else lets somebody read. */
  const mayOn = (viewer: Viewer, model: string, action: Action): boolean =>
    action === 'read' || mayOnTable(viewer, model, action)

  /** The given items, with undefined in place of those that are not living or on which `action` is not allowed. */
  async function permitted(viewer: Viewer, model: string, action: Action, items: Items): Promise<(Item | undefined)[]> {
    const isAllowed = mayOn(viewer, model, action)
    const living = items.map((item) => (isAllowed && isLiving(item) ? item : undefined))
    const filters = applicableFilters(viewer, model, action)
    if (!filters || living.every((item) => item === undefined)) return living
    const table = await tables.require(viewer.tenant, model)
    const rows = living.map((item) => rowOf(item, table))
    const sifted = await rowFilter.filterRows(viewer, table, filters, rows)
    return sifted.map((row) => row?.item)
  }

  /**
   * Throws NotFound when the record does not exist or may not be read, Forbidden when only `action` is not allowed, by the
   * permission on its table or by row rules. A record that was merged into another may be read; every other action is a Conflict.
   */
  async function requireAllowed(
    viewer: Viewer,
    model: string,
    id: number,
    action: Action,
    item: Item | null | undefined,
  ): Promise<void> {
    if (!mayOn(viewer, model, action)) throw permissionMissing(model, action)
    const into = readMergedInto(item)
    const judged = item && into !== undefined ? asUnmerged(item) : item
    const [seen] = await permitted(viewer, model, 'read', [judged])
    if (!seen) throw new NotFound('record', { model, id })
    if (into !== undefined && action !== 'read') throw mergedRecord(model, id, into)
    const [allowed] = action === 'read' ? [seen] : await permitted(viewer, model, action, [item])
    if (!allowed) throw new Forbidden('record_forbidden', `Your roles do not allow you to ${action} this record.`)
  }

  return { isLimited, permitted, require: requireAllowed }
}

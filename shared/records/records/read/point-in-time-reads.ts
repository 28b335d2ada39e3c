import { mayOnTable } from '../../../kernel/permissions.ts'
import type { Viewer } from '../../../kernel/principal.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import { recordAndTombstoneKeys } from '../../history/state-at.ts'
import type { RecordDependencies } from '../dependencies.ts'
import type { EntityRecord } from '../schema.ts'
import { currentItem, type PointInTimeDependencies, recordAt } from './point-in-time.ts'

/** Reads records as they were at a point in time, and checks who may see a record's history. */
export function createPointInTimeReads(records: PointInTimeDependencies & Pick<RecordDependencies, 'tables'>) {
  const { store, tables, access } = records

  /**
   * The record at a point in time (ISO 8601, UTC). Throws NotFound when it did not exist then or the viewer may not see
   * it.
   */
  async function getAt(viewer: Viewer, model: string, id: number, at: string): Promise<EntityRecord> {
    const { tenant } = viewer
    const [table, rows] = await Promise.all([
      tables.require(tenant, model),
      store.getMany(tenant, recordAndTombstoneKeys(tenant, model, id)),
    ])
    return recordAt(records, viewer, table, id, at, rows)
  }

  /**
   * Throws NotFound when the viewer may not see the record; a deleted one is judged by its last state. `rows`: the
   * record and its tombstone.
   */
  async function requireVisible(
    viewer: Viewer,
    model: string,
    id: number,
    rows: readonly (Item | null | undefined)[],
  ): Promise<void> {
    if (access.isLimited(viewer, model, 'read'))
      await access.require(viewer, model, id, 'read', await current(viewer, model, id, rows))
  }

  /** Whether the viewer may update a record that it may see; a deleted one is judged by its last state. */
  async function mayUpdate(
    viewer: Viewer,
    model: string,
    id: number,
    rows: readonly (Item | null | undefined)[],
  ): Promise<boolean> {
    // oxlint-disable-next-line boundaries/recordRights -- the record is asked below, where row rules make it worth a read.
    if (!mayOnTable(viewer, model, 'update')) return false
    if (!access.isLimited(viewer, model, 'update')) return true
    const item = await current(viewer, model, id, rows)
    if (!item) return false
    const [permitted] = await access.permitted(viewer, model, 'update', [item])
    return permitted !== undefined
  }

  const current = async (viewer: Viewer, model: string, id: number, rows: readonly (Item | null | undefined)[]) =>
    currentItem(records, viewer.tenant, await tables.require(viewer.tenant, model), id, rows)

  return { getAt, requireVisible, mayUpdate }
}

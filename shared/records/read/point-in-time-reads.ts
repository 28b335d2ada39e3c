import type { Viewer } from '../../kernel/principal.ts'
import type { Item } from '../../store/marshal.ts'
import type { RecordDependencies } from '../dependencies.ts'
import type { EntityRecord } from '../schema.ts'
import { currentItem, historyReadsAt, recordAt, type PointInTimeDependencies } from './point-in-time.ts'

/** Records as they were, and whether a viewer may see the history of one. */
export function createPointInTimeReads(deps: PointInTimeDependencies & Pick<RecordDependencies, 'tables'>) {
  const { store, tables, access } = deps

  /** The record as it was at a moment, ISO 8601 in UTC. */
  async function getAt(viewer: Viewer, model: string, id: number, at: string): Promise<EntityRecord> {
    const { tenant } = viewer
    const [table, rows] = await Promise.all([
      tables.require(tenant, model),
      store.getMany(tenant, historyReadsAt(tenant, model, id)),
    ])
    return recordAt(deps, viewer, table, id, at, rows)
  }

  /** Throws NotFound when the viewer may not see the record: a deleted one as it last was. `rows`: itself and its tombstone. */
  async function requireVisible(
    viewer: Viewer,
    model: string,
    id: number,
    rows: readonly (Item | null | undefined)[],
  ): Promise<void> {
    if (access.isLimited(viewer, model, 'read'))
      await access.require(viewer, model, id, 'read', await currentItem(deps, viewer.tenant, model, id, rows))
  }

  return { getAt, requireVisible }
}

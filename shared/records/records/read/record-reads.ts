import { permittedFields } from '../../../kernel/permissions.ts'
import type { Viewer } from '../../../kernel/principal.ts'
import { recordKey } from '../../../platform/store/keys/records.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import type { RecordDependencies } from '../dependencies.ts'
import {
  answerRecord,
  asUnmerged,
  readLivingRecord,
  readMergedInto,
  readRecord,
  type StoredRecord,
} from '../record-item.ts'
import type { EntityRecord } from '../schema.ts'

/** Reads single records as a viewer sees them. */
export function createRecordReads({ store, tables, access }: Pick<RecordDependencies, 'store' | 'tables' | 'access'>) {
  /**
   * Reads one record. `preloaded`: its item, when it was read with the caller (docs/decisions/0004). Throws NotFound
   * when it does not exist or the viewer may not see it.
   */
  async function get(viewer: Viewer, model: string, id: number, preloaded?: Item | null): Promise<EntityRecord> {
    const { tenant } = viewer
    const table = await tables.require(tenant, model)
    const item = preloaded === undefined ? await store.get(tenant, recordKey(tenant, model, id)) : preloaded
    await access.require(viewer, model, id, 'read', item)
    return answerRecord(table, readRecord(item, table) as StoredRecord, permittedFields(viewer, model, 'read'))
  }

  /** Reads living records in the order of `ids`: undefined where there is none, or none that the viewer may see. */
  const findMany = (viewer: Viewer, model: string, ids: readonly number[]): Promise<(EntityRecord | undefined)[]> =>
    find(viewer, model, ids, (item) => item)

  /** The same, also records that were merged into others: they keep the files that stayed with them. */
  const findManyWithMerged: typeof findMany = (viewer, model, ids) =>
    find(viewer, model, ids, (item) => item && (readMergedInto(item) === undefined ? item : asUnmerged(item)))

  async function find(
    viewer: Viewer,
    model: string,
    ids: readonly number[],
    judged: (item: Item | undefined) => Item | undefined,
  ): Promise<(EntityRecord | undefined)[]> {
    const { tenant } = viewer
    const table = await tables.require(tenant, model)
    const items = await store.getMany(
      tenant,
      ids.map((id) => recordKey(tenant, model, id)),
    )
    const readable = permittedFields(viewer, model, 'read')
    return (await access.permitted(viewer, model, 'read', items.map(judged))).map((item) => {
      const record = readLivingRecord(item, table)
      return record && answerRecord(table, record, readable)
    })
  }

  return { get, findMany, findManyWithMerged }
}

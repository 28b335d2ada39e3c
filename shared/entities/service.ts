import { NotFound } from '../faults.ts'
import type { Page } from '../http/envelope.ts'
import type { PageQuery } from '../http/paging.ts'
import { recordKey } from '../store/keys.ts'
import type { Item } from '../store/marshal.ts'
import type { Sequence } from '../store/sequence.ts'
import type { Caller, Tenant } from '../tenancy.ts'
import { changeRecord, type ChangeOptions } from './change-record.ts'
import { continueRemoval } from './continue-removal.ts'
import { createRecord } from './create-record.ts'
import { actorOf, type EntityDependencies } from './deps.ts'
import type { ListOrder } from './list-cursor.ts'
import { listRecords } from './list-records.ts'
import { answerRecord, readLivingRecord, type RecordData } from './record-item.ts'
import { removeRecord } from './remove-record.ts'
import type { EntityRecord } from './schema.ts'



/** Records of every table through one interface: what routes, and later scripts, rules and processes, call. */
export function createEntities(deps: EntityDependencies) {
  const { store, tables } = deps

  async function get(tenant: Tenant, model: string, id: number, preloaded?: Item | null): Promise<EntityRecord> {
    const table = await tables.need(tenant, model)
    const item = preloaded === undefined ? await store.get(tenant, recordKey(tenant, model, id)) : preloaded
    const record = readLivingRecord(item)
    if (!record) throw new NotFound('record', { model, id })
    return answerRecord(table, record)
  }

  async function list(
    tenant: Tenant,
    model: string,
    sequence: Sequence,
    query: PageQuery,
    order?: ListOrder,
  ): Promise<Page<EntityRecord>> {
    return listRecords(store, tenant, await tables.need(tenant, model), sequence, query, order)
  }

  async function create(caller: Caller, model: string, body: RecordData): Promise<EntityRecord> {
    const table = await tables.need(caller.tenant, model)
    return answerRecord(table, await createRecord(deps, actorOf(caller), table, body))
  }

  async function change(caller: Caller, model: string, id: number, body: RecordData, options?: ChangeOptions): Promise<EntityRecord> {
    const table = await tables.need(caller.tenant, model)
    return answerRecord(table, await changeRecord(deps, actorOf(caller), table, id, body, options))
  }

  async function remove(caller: Caller, model: string, id: number, options?: ChangeOptions): Promise<void> {
    return removeRecord(deps, actorOf(caller), await tables.need(caller.tenant, model), id, options)
  }

  const goOnRemoving = (tenant: Tenant, model: string, id: number, timeIsUp: () => boolean) => continueRemoval(deps, tenant, model, id, timeIsUp)

  return { get, list, create, change, remove, goOnRemoving }
}

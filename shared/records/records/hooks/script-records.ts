import { NotFound } from '../../../kernel/failures/faults.ts'
import { recordKey } from '../../../platform/store/keys/records.ts'
import { readSurvivor } from '../../../platform/store/ranges/merged-records.ts'
import { readMergedInto } from '../../../platform/store/rows/record-row.ts'
import type { FlatRecord, RecordAccess } from '../../../scripts/api/record-access.ts'
import type { Table } from '../../../tables/tables/table.ts'
import type { Actor } from '../actor.ts'
import { removeRecord } from '../delete/remove-record.ts'
import type { RecordDependencies } from '../dependencies.ts'
import { mergedByValues } from '../read/merged-holders.ts'
import { readLivingRecord, visibleData, type StoredRecord } from '../record-item.ts'
import { changeRecord } from '../write/change-record.ts'
import { createRecord } from '../write/create-record.ts'
import { findScriptUsers } from './script-users.ts'

/** A record as scripts see it: standard and custom fields in one object. */
export const flatRecord = (table: Table, { data, ...standard }: StoredRecord): FlatRecord => ({
  id: standard.id,
  tenant_id: standard.tenant_id,
  created_by: standard.created_by,
  updated_by: standard.updated_by,
  created_at: standard.created_at,
  updated_at: standard.updated_at,
  version: standard.version,
  ...visibleData(table, data),
})

/** The queries of `$api`, in the name of an actor. */
export interface RecordQueries {
  query(
    actor: Actor,
    model: string,
    query: { filter?: unknown; sort?: unknown; limit?: number; search?: string },
  ): Promise<readonly FlatRecord[]>
  count(actor: Actor, model: string, filter: unknown): Promise<number>
}

/** The data methods of `$api` for `actor`: with the validation, hooks and history of the API. */
export function scriptRecords(records: RecordDependencies, queries: RecordQueries, actor: Actor): RecordAccess {
  const { store, tables } = records
  const { tenant } = actor
  return {
    async get(model, id) {
      const table = await tables.require(tenant, model)
      if (!Number.isSafeInteger(id) || id < 1) return false
      const item = await store.get(tenant, recordKey(tenant, model, id))
      // Who kept the id of a record that was merged since, as a chat does, continues with the one that it is part of.
      const living =
        readMergedInto(item) === undefined ? item : (await readSurvivor(store, tenant, { model, id }))?.item
      const record = readLivingRecord(living, table)
      return record ? flatRecord(table, record) : false
    },
    query: (model, asked) => queries.query(actor, model, asked),
    async partOf(model, field, value) {
      const table = await tables.require(tenant, model)
      const [holder] = await mergedByValues(store, tenant, table, [{ field, value }])
      const record = holder && readLivingRecord(holder.survivor, table)
      return record ? flatRecord(table, record) : false
    },
    count: (model, filter) => queries.count(actor, model, filter),
    async create(model, data) {
      const table = await tables.require(tenant, model)
      return flatRecord(table, await createRecord(records, actor, table, data))
    },
    async update(model, id, data) {
      if (id < 1) throw new NotFound('record', { model, id })
      const table = await tables.require(tenant, model)
      return flatRecord(table, await changeRecord(records, actor, table, id, data))
    },
    async remove(model, id) {
      if (id < 1) throw new NotFound('record', { model, id })
      await removeRecord(records, actor, await tables.require(tenant, model), id)
    },
    findUsers: (query) => findScriptUsers(store, tenant, query),
    async startProcess(code, model, id, startKey) {
      await tables.require(tenant, model)
      return records.startProcess(actor, code, model, id, startKey)
    },
    sendProcessMessage: (name, key, variables, sendKey) =>
      records.sendProcessMessage(actor, { name, key, variables }, sendKey),
  }
}

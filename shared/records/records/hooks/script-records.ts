import { findPeople } from '../../../accounts/people/lookup/find-people.ts'
import { NotFound } from '../../../kernel/failures/faults.ts'
import { maxScriptPeople } from '../../../kernel/limits/scripts.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import { recordKey } from '../../../platform/store/keys/records.ts'
import { readSurvivor } from '../../../platform/store/ranges/merged-records.ts'
import { readMergedInto } from '../../../platform/store/rows/record-row.ts'
import { asStored } from '../../../platform/store/rows/stored-names.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { FlatRecord, RecordAccess, ScriptPerson, ScriptUserQuery } from '../../../scripts/api/record-access.ts'
import type { Table } from '../../../tables/tables/table.ts'
import type { Actor } from '../actor.ts'
import { removeRecord } from '../delete/remove-record.ts'
import type { RecordDependencies } from '../dependencies.ts'
import { mergedByValues } from '../read/merged-holders.ts'
import { readLivingRecord, type StoredRecord, visibleData } from '../record-item.ts'
import { changeRecord } from '../write/change-record.ts'
import { createRecord } from '../write/create-record.ts'

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

/** `$api.users.find`: people of the tenant, whatever the current user may see. A null matches nobody. */
async function findScriptUsers(
  store: Pick<Store, 'get' | 'getMany' | 'query'>,
  tenant: TenantRef,
  query: ScriptUserQuery,
): Promise<ScriptPerson[]> {
  const given = Object.values(query)
  // A record without an owner must not find everybody.
  if (given.length === 0 || given.some((value) => value === null || value === undefined)) return []
  const { id, email, role, search } = query
  const wanted = {
    ...(typeof id === 'number' && { ids: id > 0 ? [id] : [] }),
    ...(typeof email === 'string' && { email: email.trim().toLowerCase() }),
    ...(typeof role === 'string' && { role }),
    ...(typeof search === 'string' && { search }),
  }
  const people = (await findPeople(store, tenant, wanted, { searchesEmail: true })).slice(0, maxScriptPeople)
  const managers = await readManagers(
    store,
    tenant,
    people.flatMap(({ orgUnitIds }) => orgUnitIds),
  )
  return people.map((person) => {
    const manager = person.orgUnitIds.map((unit) => managers.get(unit)).find((one) => one !== undefined)
    return {
      id: person.id,
      name: person.name,
      email: person.email,
      roles: person.roles,
      org_unit_ids: person.orgUnitIds,
      ...(manager !== undefined && { manager_id: manager }),
    }
  })
}

/** The managers of org units that have one, by unit. */
async function readManagers(
  store: Pick<Store, 'getMany'>,
  tenant: TenantRef,
  units: readonly number[],
): Promise<Map<number, number>> {
  const distinct = [...new Set(units)]
  const items = await store.getMany(
    tenant,
    distinct.map((unit) => recordKey(tenant, 'sys_org_units', unit)),
  )
  return new Map(
    distinct.flatMap((unit, index): [number, number][] => {
      const manager = readLivingRecord(items[index], asStored)?.data.manager_id
      return typeof manager === 'number' ? [[unit, manager]] : []
    }),
  )
}

import { findPeople } from '../../../accounts/people/lookup/find-people.ts'
import { maxScriptPeople } from '../../../kernel/limits/scripts.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import { recordKey } from '../../../platform/store/keys/records.ts'
import { asStored } from '../../../platform/store/rows/stored-names.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { ScriptPerson, ScriptUserQuery } from '../../../scripts/api/record-access.ts'
import { readLivingRecord } from '../record-item.ts'

/** `$api.users.find`: people of the tenant, whatever the current user may see. A null matches nobody. */
export async function findScriptUsers(
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

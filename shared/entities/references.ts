import { recordKey, userKey, type Key } from '../store/keys.ts'
import type { Store } from '../store/table.ts'
import { referencedTable, type Table } from '../tables/table.ts'
import type { FieldErrors } from '../faults.ts'
import type { TenantRef } from '../tenancy.ts'
import type { RecordData } from './record-item.ts'

/** Looks up, in one batch, everything the named fields refer to; answers an error for each that does not exist. */
export async function checkReferences(
  store: Store,
  tenant: TenantRef,
  table: Table,
  data: RecordData,
  fields: readonly string[],
): Promise<FieldErrors> {
  const references = fields.flatMap((name) => {
    const key = referenceKey(tenant, table, name, data[name])
    return key ? [{ name, key }] : []
  })
  if (references.length === 0) return {}
  const found = await store.getMany(
    tenant,
    references.map(({ key }) => key),
  )
  const missing = references.filter((_, index) => found[index] === undefined || found[index]?.deleted_at !== undefined)
  return Object.fromEntries(missing.map(({ name }) => [name, [`The selected ${name} is invalid.`]]))
}

function referenceKey(tenant: TenantRef, table: Table, name: string, value: unknown): Key | undefined {
  const field = table.fieldsByName.get(name)
  if (!field || typeof value !== 'number') return undefined
  if (field.type === 'user') return userKey(tenant, value)
  const target = referencedTable(field)
  return target === undefined ? undefined : recordKey(tenant, target, value)
}

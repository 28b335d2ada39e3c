import { recordKey, userKey, type Key } from '../store/keys.ts'
import { referencedTable, type Table } from '../tables/table.ts'
import { Invalid, type FieldErrors } from '../faults.ts'
import type { TenantRef } from '../tenancy.ts'
import type { EntityDependencies } from './deps.ts'
import type { RecordData } from './record-item.ts'

/** Where what a record refers to is looked up. */
export type ReferenceSources = Pick<EntityDependencies, 'store' | 'files'>

/** Looks up everything the named fields refer to, records in one batch and files; answers an error for each that does not exist. */
export async function checkReferences(
  sources: ReferenceSources,
  tenant: TenantRef,
  table: Table,
  data: RecordData,
  fields: readonly string[],
): Promise<FieldErrors> {
  const [missing = {}] = await missingReferences(sources, tenant, table, [{ data, fields }])
  return missing
}

/** The same for many records: what several of them refer to is looked up once. */
export async function missingReferences(
  { store, files }: ReferenceSources,
  tenant: TenantRef,
  table: Table,
  records: readonly { readonly data: RecordData; readonly fields: readonly string[] }[],
): Promise<FieldErrors[]> {
  const references = records.flatMap(({ data, fields }, record) =>
    fields.flatMap((name) => {
      const key = referenceKey(tenant, table, name, data[name])
      return key ? [{ record, name, key }] : []
    }),
  )
  const keys = references.map(({ key }) => key)
  const [found, missing] = await Promise.all([
    keys.length === 0 ? [] : store.getMany(tenant, keys, ['pk', 'sk', 'deleted_at']),
    Promise.all(records.map(({ data, fields }) => files.check(tenant, table, data, fields))),
  ])
  for (const [index, { record, name }] of references.entries()) {
    if (found[index] !== undefined && found[index]?.deleted_at === undefined) continue
    ;(missing[record] as FieldErrors)[name] = [`The selected ${name} is invalid.`]
  }
  return missing
}

/** The same, throwing Invalid when anything is missing. */
export async function needReferences(sources: ReferenceSources, tenant: TenantRef, table: Table, data: RecordData, fields: readonly string[]): Promise<void> {
  const missing = await checkReferences(sources, tenant, table, data, fields)
  if (Object.keys(missing).length > 0) throw new Invalid(missing)
}

function referenceKey(tenant: TenantRef, table: Table, name: string, value: unknown): Key | undefined {
  const field = table.fieldsByName.get(name)
  if (!field || typeof value !== 'number') return undefined
  if (field.type === 'user') return userKey(tenant, value)
  const target = referencedTable(field)
  return target === undefined ? undefined : recordKey(tenant, target, value)
}

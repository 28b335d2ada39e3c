import type { RowAccess } from '../../../accounts/access/row-access.ts'
import { type FieldErrors, Invalid } from '../../../kernel/failures/faults.ts'
import { say } from '../../../kernel/failures/sentence.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import { userKey } from '../../../platform/store/keys/auth.ts'
import type { Key } from '../../../platform/store/keys/key.ts'
import { recordKey } from '../../../platform/store/keys/records.ts'
import { isLiving, livingAttributes } from '../../../platform/store/rows/record-row.ts'
import { referencedTable, typeOfField } from '../../../tables/field-types/read-field.ts'
import type { Table } from '../../../tables/tables/table.ts'
import type { Actor } from '../actor.ts'
import type { RecordDependencies } from '../dependencies.ts'
import type { RecordData } from '../record-item.ts'
import { fieldPlan } from './field-access.ts'

/** What references are looked up in. */
export type ReferenceSources = Pick<RecordDependencies, 'store' | 'files' | 'access'>

/**
 * Looks up the records (in one batch) and files that the named fields refer to. Answers an error for each that does not
 * exist. `viewer`: who chose the values; records that row rules hide from them count as missing.
 */
export async function checkReferences(
  sources: ReferenceSources,
  tenant: TenantRef,
  table: Table,
  data: RecordData,
  fields: readonly string[],
  viewer?: Actor,
): Promise<FieldErrors> {
  const [missing = {}] = await missingReferences(sources, tenant, table, [{ data, fields, viewer }])
  return missing
}

/** The same for many records of one request: each target is read once. */
export async function missingReferences(
  { store, files, access }: ReferenceSources,
  tenant: TenantRef,
  table: Table,
  records: readonly { readonly data: RecordData; readonly fields: readonly string[]; readonly viewer?: Actor }[],
): Promise<FieldErrors[]> {
  const { referring, hasFiles } = fieldPlan(table)
  const references = (referring.size === 0 ? [] : records).flatMap(({ data, fields, viewer }, record) =>
    fields.flatMap((name) => {
      const to = referring.has(name) ? referenceTo(tenant, table, name, data[name]) : undefined
      return to ? [{ record, name, ...to, limited: limitedViewer(access, viewer, to.target) }] : []
    }),
  )
  const keys = references.map(({ key }) => key)
  const needsWholeRecords = references.some(({ limited }) => limited)
  const [found, missing] = await Promise.all([
    keys.length === 0 ? [] : store.getMany(tenant, keys, needsWholeRecords ? undefined : livingAttributes),
    hasFiles
      ? Promise.all(records.map(({ data, fields }) => files.check(tenant, table, data, fields)))
      : records.map((): FieldErrors => ({})),
  ])
  const hidden = new Set<number>()
  const limitedReferences = references.flatMap(({ target, limited }, index) =>
    limited ? [{ index, limited, target: target as string }] : [],
  )
  for (const [target, some] of Map.groupBy(limitedReferences, (one) => one.target)) {
    const [{ limited }] = some as [(typeof some)[number]]
    const items = some.map(({ index }) => found[index])
    const seen = await access.permitted(limited, target, 'read', items)
    for (const [position, { index }] of some.entries()) if (!seen[position]) hidden.add(index)
  }
  for (const [index, { record, name }] of references.entries()) {
    if (isLiving(found[index]) && !hidden.has(index)) continue
    ;(missing[record] as FieldErrors)[name] = [say('not_selectable', { field: name })]
  }
  return missing
}

/** The same, but throws Invalid when anything is missing. */
export async function requireReferences(
  sources: ReferenceSources,
  tenant: TenantRef,
  table: Table,
  data: RecordData,
  fields: readonly string[],
  viewer?: Actor,
): Promise<void> {
  const missing = await checkReferences(sources, tenant, table, data, fields, viewer)
  if (Object.keys(missing).length > 0) throw new Invalid(missing)
}

/** The viewer, when row rules limit which records of the target they see. */
function limitedViewer(access: RowAccess, viewer: Actor | undefined, target: string | undefined): Actor | undefined {
  return viewer && target !== undefined && access.isLimited(viewer, target, 'read') ? viewer : undefined
}

/** `target`: the table whose row rules apply; undefined for users, who have none. */
function referenceTo(
  tenant: TenantRef,
  table: Table,
  name: string,
  value: unknown,
): { key: Key; target?: string } | undefined {
  const field = table.fieldsByName.get(name)
  if (!field || typeof value !== 'number') return undefined
  if (typeOfField(field).refersToPeople) return { key: userKey(tenant, value) }
  const target = referencedTable(field)
  return target === undefined ? undefined : { key: recordKey(tenant, target, value), target }
}

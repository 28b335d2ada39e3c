import { type FieldErrors, Invalid } from '../../kernel/faults.ts'
import type { TenantRef } from '../../kernel/tenancy.ts'
import type { RowAccess } from '../../row-rules/service.ts'
import { userKey } from '../../store/keys/auth.ts'
import type { Key } from '../../store/keys/key.ts'
import { recordKey } from '../../store/keys/records.ts'
import { isLiving } from '../../store/rows/record-row.ts'
import { referencedTable, type Table } from '../../tables/service.ts'
import type { Actor } from '../actor.ts'
import type { RecordDependencies } from '../dependencies.ts'
import type { RecordData } from '../record-item.ts'

/** Where what a record refers to is looked up. */
export type ReferenceSources = Pick<RecordDependencies, 'store' | 'files' | 'access'>

/**
 * Looks up everything the named fields refer to, records in one batch and files; answers an error for each that does not
 * exist. `chooser`: who chose the values, for whom records that row rules hide do not exist.
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

/** The same for many records of one request: what several of them refer to is looked up once. */
export async function missingReferences(
  { store, files, access }: ReferenceSources,
  tenant: TenantRef,
  table: Table,
  records: readonly { readonly data: RecordData; readonly fields: readonly string[]; readonly viewer?: Actor }[],
): Promise<FieldErrors[]> {
  const references = records.flatMap(({ data, fields, viewer }, record) =>
    fields.flatMap((name) => {
      const to = referenceTo(tenant, table, name, data[name])
      return to ? [{ record, name, ...to, limited: limitedViewer(access, viewer, to.target) }] : []
    }),
  )
  const keys = references.map(({ key }) => key)
  const needsWholeRecords = references.some(({ limited }) => limited)
  const [found, missing] = await Promise.all([
    keys.length === 0 ? [] : store.getMany(tenant, keys, needsWholeRecords ? undefined : ['pk', 'sk', 'deleted_at']),
    Promise.all(records.map(({ data, fields }) => files.check(tenant, table, data, fields))),
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
    ;(missing[record] as FieldErrors)[name] = [`The selected ${name} is invalid.`]
  }
  return missing
}

/** The same, throwing Invalid when anything is missing. */
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

/** Whoever chose a reference, when rules limit which records of its target they see. */
function limitedViewer(access: RowAccess, viewer: Actor | undefined, target: string | undefined): Actor | undefined {
  return viewer && target !== undefined && access.isLimited(viewer, target, 'read') ? viewer : undefined
}

/** `target`: the table that row rules speak of; people have none. */
function referenceTo(
  tenant: TenantRef,
  table: Table,
  name: string,
  value: unknown,
): { key: Key; target?: string } | undefined {
  const field = table.fieldsByName.get(name)
  if (!field || typeof value !== 'number') return undefined
  if (field.type === 'user') return { key: userKey(tenant, value) }
  const target = referencedTable(field)
  return target === undefined ? undefined : { key: recordKey(tenant, target, value), target }
}

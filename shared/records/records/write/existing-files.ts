import type { TenantRef } from '../../../kernel/tenancy.ts'
import { typeOfField } from '../../../tables/field-types/read-field.ts'
import { pathsIn } from '../../../tables/files/claims.ts'
import type { Table } from '../../../tables/tables/table.ts'
import type { Actor } from '../actor.ts'
import type { RecordDependencies } from '../dependencies.ts'
import type { RecordData } from '../record-item.ts'
import { type FieldAccess, mayRead } from './field-access.ts'

/** The fields, without those whose files no longer exist, and the names of these. */
export async function withExistingFiles(
  records: RecordDependencies,
  { tenant }: Actor,
  table: Table,
  data: RecordData,
): Promise<{ readonly data: RecordData; readonly missing: readonly string[] }> {
  const found = await withoutMissingFiles(records, tenant, table, {}, data)
  const missing = Object.keys(data).filter((name) => found.data[name] !== data[name])
  return { data: Object.fromEntries(Object.entries(data).filter(([name]) => !missing.includes(name))), missing }
}

/** Leaves out paths whose file no longer exists: they cannot be claimed again. Names those of fields that may be read. */
export async function withoutMissingFiles(
  { files }: RecordDependencies,
  tenant: TenantRef,
  table: Table,
  access: FieldAccess,
  data: RecordData,
): Promise<{ data: RecordData; missingFiles: string[] }> {
  const kept: Record<string, unknown> = { ...data }
  const missingFiles = new Set<string>()
  for (const field of table.table_fields) {
    if (!typeOfField(field).files) continue
    const paths = pathsIn(data[field.name])
    const isMissing = await Promise.all(
      paths.map(
        async (path) => Object.keys(await files.check(tenant, table, { [field.name]: path }, [field.name])).length > 0,
      ),
    )
    const left = paths.filter((_, index) => !isMissing[index])
    if (left.length === paths.length) continue
    if (mayRead(access, field.name))
      for (const [index, path] of paths.entries()) if (isMissing[index]) missingFiles.add(path)
    kept[field.name] = Array.isArray(data[field.name]) && left.length > 0 ? left : (left[0] ?? null)
  }
  return { data: kept, missingFiles: [...missingFiles] }
}

import { isDeepStrictEqual } from 'node:util'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import type { Config } from '../../../platform/store/config.ts'
import { allSystemTables } from '../system-tables.ts'
import { readTable, type Table } from '../table.ts'
import type { Renames } from './plan-renames.ts'
import { renameFields, renamesOf } from './rename-fields.ts'
import { findFollowers } from './rename-in-rows.ts'

/** A field that gets another name, and what names it as data and follows. */
export interface RenamePreview {
  readonly field: string
  readonly renamed_from: string
  readonly follows: readonly { readonly kind: string; readonly id: number | null; readonly name: string }[]
}

/** What follows each rename of fields of a table: formulas and rules of its own fields, and objects of the configuration. */
export async function previewRenames(
  config: Pick<Config, 'listFresh'>,
  tenant: TenantRef,
  was: Table,
  renames: Renames,
): Promise<RenamePreview[]> {
  if (renames.size === 0) return []
  const rows = [...allSystemTables(), ...(await config.listFresh(tenant, 'TABLE'))]
  const tables = new Map(rows.map((row) => [row.name, readTable(row)]))
  const each = [...renames].map(([former, name]) => new Map([[former, name]]))
  const found = await findFollowers(
    config,
    tenant,
    each.map((one) => renamesOf(was, one, tables)),
  )
  return Promise.all(
    [...renames].map(async ([former, name], index) => ({
      field: name,
      renamed_from: former,
      follows: [
        ...(await ownFollowers(was, new Map([[former, name]]))).map((field) => ({
          kind: 'field',
          id: null,
          name: renames.get(field) ?? field,
        })),
        ...(found[index] ?? []).map(({ kind, row }) => {
          const { id, name: called = row.name } = row.doc as { readonly id?: number; readonly name?: string }
          return { kind: kind.toLowerCase(), id: id ?? null, name: called }
        }),
      ],
    })),
  )
}

/** The fields of the table whose formula or rules name the field. */
async function ownFollowers(was: Table, renames: Renames): Promise<string[]> {
  const { table_fields } = await renameFields(was, was, renames)
  return was.table_fields.flatMap((field, index) =>
    isDeepStrictEqual({ ...table_fields[index], name: field.name }, field) ? [] : [field.name],
  )
}

import { NotFound } from '../../kernel/failures/faults.ts'
import { publicTable } from '../../kernel/table-names.ts'
import type { Tenant, TenantRef } from '../../kernel/tenancy.ts'
import { didYouMean, shown } from '../../kernel/text/did-you-mean.ts'
import type { Config } from '../../platform/store/config.ts'
import { referencedTable, typeOfField } from '../field-types/read-field.ts'
import type { Field } from './schema.ts'
import { allSystemTables, systemTable } from './system-tables.ts'
import { readTable, type Table } from './table.ts'

export type Tables = ReturnType<typeof createTables>

/** A field that refers to a table and restricts, or follows, the delete of its records (`on_delete`). */
export interface Referrer {
  readonly table: Table
  readonly field: Field
  readonly onDelete: 'keep' | 'restrict' | 'set_null'
}

/** Reads the tables of a tenant, from the configuration cache unless a function says `Fresh`. */
export function createTables(config: Config) {
  /** The table by name; undefined when the tenant has no such table. */
  async function find(tenant: Tenant, name: string): Promise<Table | undefined> {
    const stored = await config.get(tenant, 'TABLE', name, readTable)
    if (stored) return stored
    const builtIn = systemTable(name)
    return builtIn && readTable(builtIn)
  }

  /** The table by name. Throws NotFound when the tenant has no such table. */
  async function requireTable(tenant: Tenant, name: string): Promise<Table> {
    const table = await find(tenant, name)
    if (!table) {
      const known = (await all(tenant)).map((one) => publicTable(tenant, one.name))
      const asked = publicTable(tenant, name)
      throw new NotFound('table', { model: name }, `There is no table ${shown(asked)}.${didYouMean(asked, known)}`)
    }
    return table
  }

  /** All tables, built-in ones included, ordered by name. */
  async function all(tenant: Tenant): Promise<readonly Table[]> {
    return withSystemTables(await config.list(tenant, 'TABLE', readTable))
  }

  /** The same from the store, past the cache: for requests that change several tables. */
  async function allFresh(tenant: TenantRef): Promise<readonly Table[]> {
    return withSystemTables((await config.listFresh(tenant, 'TABLE')).map(readTable))
  }

  /** One of them likewise. */
  async function findFresh(tenant: TenantRef, name: string): Promise<Table | undefined> {
    const row = (await config.getFresh(tenant, 'TABLE', name)) ?? systemTable(name)
    return row && readTable(row)
  }

  /** Fields of any table that refer to `name` with an `on_delete` other than `keep`. */
  async function referrers(tenant: Tenant, name: string): Promise<readonly Referrer[]> {
    return (await all(tenant)).flatMap((table) =>
      table.table_fields
        .map((field) => ({ table, field, onDelete: typeOfField(field).onDelete?.(field) ?? 'keep' }))
        .filter(({ field, onDelete }) => onDelete !== 'keep' && referencedTable(field) === name),
    )
  }

  /** Every field that refers to a table, whatever a delete of its records does. */
  async function referringFields(tenant: Tenant, name: string): Promise<readonly Pick<Referrer, 'table' | 'field'>[]> {
    return (await all(tenant)).flatMap((table) =>
      table.table_fields.filter((field) => referencedTable(field) === name).map((field) => ({ table, field })),
    )
  }

  return { find, require: requireTable, all, allFresh, findFresh, referrers, referringFields }
}

function withSystemTables(stored: readonly Table[]): Table[] {
  const byName = new Map([...allSystemTables().map(readTable), ...stored].map((table) => [table.name, table]))
  return [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}

import { NotFound } from '../kernel/faults.ts'
import type { Tenant, TenantRef } from '../kernel/tenancy.ts'
import type { Config } from '../store/config.ts'
import type { Field } from './schema.ts'
import { allSystemTables, systemTable } from './system-tables.ts'
import { readTable, referencedTable, type Table } from './table.ts'

export type Tables = ReturnType<typeof createTables>

/** A field of another table whose values are ids of this one, and what a delete means for it. */
export interface Referrer {
  readonly table: Table
  readonly field: Field
}

/** The tables of a tenant as requests read them: from the cache of the configuration. */
export function createTables(config: Config) {
  /** undefined when the tenant has no such table. */
  async function find(tenant: Tenant, name: string): Promise<Table | undefined> {
    const stored = await config.get(tenant, 'TABLE', name, readTable)
    if (stored) return stored
    const builtIn = systemTable(name)
    return builtIn && readTable(builtIn)
  }

  /** Throws NotFound when the tenant has no such table. */
  async function requireTable(tenant: Tenant, name: string): Promise<Table> {
    const table = await find(tenant, name)
    if (!table) throw new NotFound('table', { model: name })
    return table
  }

  /** Every table by name, built-in ones included. */
  async function all(tenant: Tenant): Promise<readonly Table[]> {
    return withSystemTables(await config.list(tenant, 'TABLE', readTable))
  }

  /** The same as stored now, for changes of several tables in one request. */
  async function allFresh(tenant: TenantRef): Promise<readonly Table[]> {
    return withSystemTables((await config.listFresh(tenant, 'TABLE')).map(readTable))
  }

  /** Fields of any table that refer to `name` and care when a record of it goes. */
  async function referrers(tenant: Tenant, name: string): Promise<readonly Referrer[]> {
    return (await all(tenant)).flatMap((table) =>
      table.table_fields
        .filter((field) => referencedTable(field) === name && (field.on_delete ?? 'keep') !== 'keep')
        .map((field) => ({ table, field })),
    )
  }

  return { find, require: requireTable, all, allFresh, referrers }
}

function withSystemTables(stored: readonly Table[]): Table[] {
  const byName = new Map([...allSystemTables().map(readTable), ...stored].map((table) => [table.name, table]))
  return [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}

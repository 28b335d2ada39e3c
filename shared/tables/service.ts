import { isoTime, type Clock } from '../clock.ts'
import { Conflict, Invalid, NotFound } from '../faults.ts'
import { putConfigRow, removeConfigRow, type Config } from '../store/config.ts'
import { recordPartition } from '../store/keys.ts'
import { TransactionRefused } from '../store/refusals.ts'
import { readSequence, takeIds } from '../store/sequence.ts'
import type { Store } from '../store/table.ts'
import type { Caller, Tenant, TenantRef } from '../tenancy.ts'
import { assignSlots } from './assign-slots.ts'
import { checkChange } from './check-change.ts'
import { checkTable } from './check-table.ts'
import type { Field, TableChange, TableInput } from './schema.ts'
import { allSystemTables, firstCustomTableId, systemTable } from './system-tables.ts'
import { isSystemName, readTable, referencedTable, type Automation, type StoredTable, type Table } from './table.ts'

export type Tables = ReturnType<typeof createTables>

/** A field of another table whose values are ids of this one, and what a delete means for it. */
export interface Referrer {
  readonly table: Table
  readonly field: Field
}

/** The tables of a tenant: their configuration, read from the cache on every request and changed by administrators. */
export function createTables({ store, config, clock }: { store: Store; config: Config; clock: Pick<Clock, 'now'> }) {
  /** undefined when the tenant has no such table. */
  async function find(tenant: Tenant, name: string): Promise<Table | undefined> {
    const stored = await config.get(tenant, 'TABLE', name, readTable)
    if (stored) return stored
    const builtIn = systemTable(name)
    return builtIn && readTable(builtIn)
  }

  async function need(tenant: Tenant, name: string): Promise<Table> {
    const table = await find(tenant, name)
    if (!table) throw new NotFound('table', { model: name })
    return table
  }

  /** Every table by name, built-in ones included. */
  async function all(tenant: Tenant): Promise<readonly Table[]> {
    return withSystemTables(await config.list(tenant, 'TABLE', readTable))
  }

  /** Fields of any table that refer to `name` and care when a record of it goes. */
  async function referrers(tenant: Tenant, name: string): Promise<readonly Referrer[]> {
    return (await all(tenant)).flatMap((table) =>
      table.table_fields.filter((field) => referencedTable(field) === name && (field.on_delete ?? 'keep') !== 'keep').map((field) => ({ table, field })),
    )
  }

  async function create(caller: Caller, input: TableInput): Promise<Table> {
    const { tenant } = caller
    if (isSystemName(input.name)) throw new Invalid({ name: ['Names beginning with sys_ are reserved.'] })
    const names = await tableNames(tenant)
    if (names.has(input.name)) throw new Conflict(`The table ${input.name} exists already.`)
    const list = checkTable(input, new Set([...names, input.name]))
    if (list.any) throw new Invalid(list.errors)
    const [id, automations] = await Promise.all([takeIds(store, tenant, 'sys_tables'), numberAutomations(tenant, input, [])])
    const doc: StoredTable = {
      id: firstCustomTableId - 1 + id,
      label: input.label ?? titleOf(input.name),
      title_field: input.title_field ?? firstTextField(input.table_fields),
      table_fields: input.table_fields,
      automations,
      retired: [],
      // A table of this name may have lived before: what it left behind is gone when it could be deleted.
      slots: assignSlots(input.table_fields, undefined, true),
    }
    return save(caller, input.name, doc, 1, null)
  }

  async function change(caller: Caller, name: string, input: TableChange): Promise<Table> {
    const { tenant } = caller
    const stored = await config.getFresh(tenant, 'TABLE', name)
    const row = stored ?? systemTable(name)
    if (!row) throw new NotFound('table', { model: name })
    const before = readTable(row)
    if (input.name !== name) throw new Invalid({ name: ['A table keeps its name.'] })
    if (input.version !== undefined && input.version !== before.version) {
      throw new Conflict(`The table has changed: its version is ${before.version}.`)
    }
    const next = {
      ...input,
      // A document without fields or hooks means: leave them. Only a field left out of a given list is retired.
      table_fields: input.table_fields ?? [...before.table_fields],
      automations: input.automations ?? [...before.automations],
    }
    const [names, isEmpty] = await Promise.all([tableNames(tenant), holdsNoRecord(tenant, name)])
    const list = checkTable(next, names)
    if (!isEmpty) checkChange(before, next, list)
    if (list.any) throw new Invalid(list.errors)
    const kept = new Set(next.table_fields.map((field) => field.name))
    const doc: StoredTable = {
      id: before.id,
      label: input.label ?? before.label,
      title_field: input.title_field === undefined ? keepTitleField(before, kept) : input.title_field,
      table_fields: next.table_fields,
      automations: await numberAutomations(tenant, next, before.automations),
      retired: isEmpty ? [] : [...before.retired, ...before.table_fields].filter((field) => !kept.has(field.name)),
      slots: assignSlots(next.table_fields, before, isEmpty),
    }
    return save(caller, name, doc, before.version + 1, stored ? before.version : null)
  }

  /** Refused while the table holds records or another table's field refers to it. */
  async function remove(caller: Caller, name: string): Promise<void> {
    const { tenant } = caller
    const row = await config.getFresh(tenant, 'TABLE', name)
    if (isSystemName(name) && (row ?? systemTable(name))) throw new Conflict(`${name} is a built-in table.`)
    if (!row) throw new NotFound('table', { model: name })
    if (!(await holdsNoRecord(tenant, name))) throw new Conflict(`The table ${name} still holds records.`)
    const others = (await config.listFresh(tenant, 'TABLE')).map(readTable)
    const referring = others.find((table) => table.name !== name && table.table_fields.some((field) => field.target_table === name))
    if (referring) throw new Conflict(`The table ${referring.name} refers to ${name}.`)
    await settle(() => config.change(tenant, [removeConfigRow(tenant, 'TABLE', name, row.version)]))
  }

  async function save(caller: Caller, name: string, doc: StoredTable, version: number, before: number | null): Promise<Table> {
    const row = { name, version, doc }
    const audit = { userId: caller.userId, at: isoTime(clock.now()) }
    await settle(() => config.change(caller.tenant, [putConfigRow(caller.tenant, 'TABLE', row, before, audit)]))
    return readTable(row)
  }

  async function tableNames(tenant: TenantRef): Promise<ReadonlySet<string>> {
    return new Set([...(await config.listFresh(tenant, 'TABLE')), ...allSystemTables()].map(({ name }) => name))
  }

  /** Counts what lives, and looks for deletes that have not finished. */
  async function holdsNoRecord(tenant: TenantRef, name: string): Promise<boolean> {
    const [{ live }, { items }] = await Promise.all([
      readSequence(store, tenant, name),
      store.query(tenant, { pk: recordPartition(tenant, name), limit: 1 }),
    ])
    return live === 0 && items.length === 0
  }

  /** Hooks keep the id they have; a new one, or one with an id this table never gave, gets the next of the tenant. */
  async function numberAutomations(tenant: TenantRef, input: TableInput, before: readonly Automation[]): Promise<Automation[]> {
    const known = new Set(before.map(({ id }) => id))
    const isKnown = (id: number | undefined): id is number => id !== undefined && known.delete(id)
    const kept = input.automations.map(({ id }) => (isKnown(id) ? id : undefined))
    const missing = kept.filter((id) => id === undefined).length
    let next = missing > 0 ? await takeIds(store, tenant, 'sys_automations', missing) : 0
    return input.automations.map(({ kind, name, script, is_active, position }, index) => ({
      id: kept[index] ?? next++,
      kind,
      name: name ?? kind,
      script,
      is_active,
      position: position ?? index + 1,
    }))
  }

  return { find, need, all, referrers, create, change, remove }
}

async function settle(change: () => Promise<void>): Promise<void> {
  try {
    await change()
  } catch (error) {
    if (error instanceof TransactionRefused) throw new Conflict('Somebody else changed this table at the same time. Read it again.')
    throw error
  }
}

function withSystemTables(stored: readonly Table[]): Table[] {
  const byName = new Map([...allSystemTables().map(readTable), ...stored].map((table) => [table.name, table]))
  return [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}

const titleOf = (name: string): string => (name.charAt(0).toUpperCase() + name.slice(1)).replaceAll('_', ' ')
const firstTextField = (fields: readonly Field[]): string | null => fields.find(({ type }) => type === 'text')?.name ?? null
const keepTitleField = (before: Table, kept: ReadonlySet<string>): string | null =>
  before.title_field && kept.has(before.title_field) ? before.title_field : null

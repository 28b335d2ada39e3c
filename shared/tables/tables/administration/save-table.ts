import { Conflict } from '../../../kernel/failures/faults.ts'
import type { Principal } from '../../../kernel/principal.ts'
import { publicTable, type RenamedTables, withTableName } from '../../../kernel/table-names.ts'
import type { Tenant } from '../../../kernel/tenancy.ts'
import { type Clock, isoTime } from '../../../kernel/time/clock.ts'
import { type Config, putConfigRow, timesAt } from '../../../platform/store/config.ts'
import { noteTable } from '../../../platform/store/sequence/sequence.ts'
import type { Store, Write } from '../../../platform/store/store.ts'
import { configurationEvent } from '../../../platform/trail/configuration-event.ts'
import { typeOfField } from '../../field-types/read-field.ts'
import { type ChangeNames, changeNames } from '../renames/rename-table.ts'
import type { Field } from '../schema.ts'
import { readTable, type StoredTable, type Table } from '../table.ts'

interface SavingDependencies {
  readonly store: Store
  readonly config: Config
  readonly clock: Pick<Clock, 'now' | 'uuid'>
}

/** The names of the tenant's tables after a change, by `changeNames`. Throws Conflict when they have changed meanwhile. */
export async function namesAfter(store: Store, tenant: Tenant, names: readonly string[], after: ChangeNames) {
  const named = await changeNames(store, tenant, names, after)
  if (!named) throw concurrentChange()
  return named
}

/**
 * `existing` is the version of the stored row; null when there is none, as for an unchanged built-in table. `called`: the
 * name of a table that is new or renamed.
 */
export async function saveTable(
  { store, config, clock }: SavingDependencies,
  caller: Principal,
  name: string,
  doc: StoredTable,
  version: number,
  before: Table | undefined,
  existing: number | null,
  others: readonly Write[] = [],
  called?: string,
): Promise<Table> {
  const { tenant } = caller
  const was = before && publicTable(tenant, name)
  const named =
    called === undefined
      ? undefined
      : await namesAfter(store, tenant, [...(was === undefined ? [] : [was]), called], (names) =>
          withTableName(names, { stored: name, name: called, was, nowMs: clock.now() }),
        )
  const audit = { userId: caller.userId, at: isoTime(clock.now()) }
  const row = { name, version, doc, ...timesAt(before, audit.at) }
  const after = readTable(row)
  await config.change(
    caller.tenant,
    [
      putConfigRow(caller.tenant, 'TABLE', row, existing, audit),
      noteTable(caller.tenant, after),
      ...others,
      tableEvent(clock, caller, before, after, called),
    ],
    concurrentChange,
    named?.change,
  )
  // The rest of the request, and its answer, call the table so.
  if (named) (tenant as { renamedTables?: RenamedTables }).renamedTables = named.names
  return after
}

export const concurrentChange = (): Conflict =>
  new Conflict('write_conflict', 'The table was changed at the same time. Read it again, then repeat your change.')

/** The trail event of a change to a table: what administrators set, not how it is stored. `called`: its name after a rename. */
export const tableEvent = (
  clock: Pick<Clock, 'now' | 'uuid'>,
  caller: Principal,
  before: Table | undefined,
  after: Table | undefined,
  called?: string,
): Write => {
  const nameOf = (table: Table): string =>
    called !== undefined && table === after ? called : publicTable(caller.tenant, table.name)
  return configurationEvent(clock, caller, {
    model: 'sys_entities',
    before,
    after,
    nameOf,
    documentOf: (table) => ({
      ...(before && called !== undefined && { name: nameOf(table) }),
      label: table.label,
      title_field: table.title_field,
      table_fields: table.table_fields,
      automations: table.automations.map(({ id: _, ...automation }) => automation),
    }),
  })
}

/** The label of a table that is created without one: `purchase_orders` becomes `Purchase orders`. */
export const defaultLabel = (name: string): string =>
  (name.charAt(0).toUpperCase() + name.slice(1)).replaceAll('_', ' ')

/** The title field of a table that is created without one: its first field of a type for titles, or null. */
export const defaultTitleField = (fields: readonly Field[]): string | null =>
  fields.find((field) => typeOfField(field).isTitle)?.name ?? null

/** The title field after a change that does not set it; null when the change removes that field. */
export const keptTitleField = (before: Table, kept: ReadonlySet<string>): string | null =>
  before.title_field && kept.has(before.title_field) ? before.title_field : null

import { Conflict } from '../../../kernel/failures/faults.ts'
import type { Principal } from '../../../kernel/principal.ts'
import { publicTable, type RenamedTables, withTableName } from '../../../kernel/table-names.ts'
import type { Tenant } from '../../../kernel/tenancy.ts'
import { type Clock, isoTime } from '../../../kernel/time/clock.ts'
import { type Config, putConfigRow, timesAt } from '../../../platform/store/config.ts'
import { noteTable } from '../../../platform/store/sequence/sequence.ts'
import type { Store, Write } from '../../../platform/store/store.ts'
import { type ChangeNames, changeNames } from '../renames/rename-table.ts'
import { readTable, type StoredTable, type Table } from '../table.ts'
import { tableEvent } from './table-event.ts'

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

import { Invalid } from '../../../kernel/failures/faults.ts'
import type { Caller } from '../../../kernel/principal.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import { type Clock, isoTime } from '../../../kernel/time/clock.ts'
import { type Config, putConfigRow } from '../../../platform/store/config.ts'
import type { RolledUpBy } from '../../../platform/store/rows/touched-rollups.ts'
import { allocateIds } from '../../../platform/store/sequence/sequence.ts'
import type { Store, Write } from '../../../platform/store/store.ts'
import { type RolledTable, rollupsOf } from '../checks/check-rollups.ts'
import type { TableInput } from '../schema.ts'
import { systemTable } from '../system-tables.ts'
import { type Automation, readStoredTable, type StoredTable } from '../table.ts'

/** The marks of a table whose changes are sent to a consumer. */
type Mark = keyof Pick<StoredTable, 'has_processes' | 'has_subscriptions'>

/**
 * The write that makes a table send its changes to processes, for the transaction that binds its first template. None
 * when the table does so already. Throws Invalid when there is no such table.
 */
export const bindProcesses = binding('has_processes')
/** The same for subscriptions, and the first of a table. */
export const bindSubscriptions = binding('has_subscriptions')

function binding(mark: Mark) {
  return async (
    { config, clock }: { readonly config: Config; readonly clock: Pick<Clock, 'now'> },
    { tenant, userId }: Pick<Caller, 'tenant' | 'userId'>,
    name: string,
  ): Promise<readonly Write[]> => {
    const stored = await config.getFresh(tenant, 'TABLE', name)
    const row = stored ?? systemTable(name)
    if (!row) throw new Invalid({ table: ['The selected table is invalid.'] })
    const doc = readStoredTable(row)
    if (doc[mark]) return []
    const bound = { ...row, version: row.version + 1, doc: { ...doc, [mark]: true } satisfies StoredTable }
    return [putConfigRow(tenant, 'TABLE', bound, stored ? stored.version : null, { userId, at: isoTime(clock.now()) })]
  }
}

/** By which fields of a table the rollups of these tables count its records. */
const rollersOf = (name: string, tables: readonly RolledTable[]): readonly RolledUpBy[] =>
  tables.flatMap((table) =>
    rollupsOf(table).flatMap(({ table: over, field }) =>
      over === name && field ? [{ field, table: table.name }] : [],
    ),
  )

/** Those known and those that are new, each once, in a steady order. They stay when the rollup goes: it may come back. */
function joined(known: readonly RolledUpBy[] = [], more: readonly RolledUpBy[]): readonly RolledUpBy[] {
  const isKnown = (one: RolledUpBy, of: readonly RolledUpBy[]): boolean =>
    of.some(({ field, table }) => field === one.field && table === one.table)
  return more.reduce((all, one) => (isKnown(one, all) ? all : [...all, one]), known)
}

/** The marks of a table, by which its records name what rolls them up. `tables`: all, with the table as it will be. */
export const ownRollers = (
  name: string,
  known: readonly RolledUpBy[] | undefined,
  tables: readonly RolledTable[],
): Pick<StoredTable, 'rolled_up_by'> => {
  const all = joined(known, rollersOf(name, tables))
  return all.length > 0 ? { rolled_up_by: all } : {}
}

/** The writes that mark the other tables whose records a table rolls up. */
export async function bindRollups(
  { config, clock }: { readonly config: Config; readonly clock: Pick<Clock, 'now'> },
  { tenant, userId }: { readonly tenant: TenantRef; readonly userId: number },
  next: RolledTable,
): Promise<readonly Write[]> {
  const writes: Write[] = []
  for (const name of new Set(rollupsOf(next).map(({ table }) => table))) {
    if (name === undefined || name === next.name) continue
    const stored = await config.getFresh(tenant, 'TABLE', name)
    const row = stored ?? systemTable(name)
    if (!row) continue
    const doc = readStoredTable(row)
    const rolled_up_by = joined(doc.rolled_up_by, rollersOf(name, [next]))
    if (rolled_up_by.length === (doc.rolled_up_by ?? []).length) continue
    const marked = { ...row, version: row.version + 1, doc: { ...doc, rolled_up_by } satisfies StoredTable }
    writes.push(
      putConfigRow(tenant, 'TABLE', marked, stored ? stored.version : null, { userId, at: isoTime(clock.now()) }),
    )
  }
  return writes
}

/**
 * Completes the hooks of a document. A hook keeps its id; a new one, or one with an id that this table never gave, gets
 * the tenant's next id. Defaults: its kind as the name, its number in the document as the position.
 */
export async function numberAutomations(
  store: Store,
  tenant: TenantRef,
  automations: TableInput['automations'],
  before: readonly Automation[],
): Promise<Automation[]> {
  const known = new Set(before.map(({ id }) => id))
  const isKnown = (id: number | undefined): id is number => id !== undefined && known.delete(id)
  const kept = automations.map(({ id }) => (isKnown(id) ? id : undefined))
  const missing = kept.filter((id) => id === undefined).length
  let next = missing > 0 ? await allocateIds(store, tenant, 'sys_automations', missing) : 0
  return automations.map(({ kind, name, script, is_active, position }, index) => ({
    id: kept[index] ?? next++,
    kind,
    name: name ?? kind,
    script,
    is_active,
    position: position ?? index + 1,
  }))
}

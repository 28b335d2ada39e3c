import type { TenantRef } from '../../../kernel/tenancy.ts'
import { isoTime, type Clock } from '../../../kernel/time/clock.ts'
import { putConfigRow, type Config } from '../../../platform/store/config.ts'
import type { RolledUpBy } from '../../../platform/store/rows/touched-rollups.ts'
import type { Write } from '../../../platform/store/store.ts'
import { type RolledTable, rollupsOf } from '../checks/check-rollups.ts'
import { systemTable } from '../system-tables.ts'
import { readStoredTable, type StoredTable } from '../table.ts'

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

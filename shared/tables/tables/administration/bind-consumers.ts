import { Invalid } from '../../../kernel/failures/faults.ts'
import type { Caller } from '../../../kernel/principal.ts'
import { isoTime, type Clock } from '../../../kernel/time/clock.ts'
import { putConfigRow, type Config } from '../../../platform/store/config.ts'
import type { Write } from '../../../platform/store/store.ts'
import { systemTable } from '../system-tables.ts'
import { readStoredTable, type StoredTable } from '../table.ts'

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

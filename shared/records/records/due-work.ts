import type { TenantRef } from '../../kernel/tenancy.ts'
import type { ChangeEvent } from '../../platform/queue/change-feed/change-event.ts'
import type { DueWork } from '../../platform/store/due/due-work.ts'
import {
  cleanupDuePartitions,
  countDuePartitions,
  hooksDuePartitions,
  parseCountDue,
  parseDueSort,
} from '../../platform/store/keys/records.ts'

/**
 * The message that makes record-cleanup resume unfinished work on a record: `delete` its delete, `update` its hooks.
 * `create` without an id: it looks for the creates of the table that were cut off.
 */
const sweeperEvent = (
  record: { readonly tenant: TenantRef; readonly model: string; readonly id: number } | undefined,
  action: ChangeEvent['action'],
): ChangeEvent | undefined =>
  record && {
    v: 1,
    tenant_id: record.tenant.id,
    model: record.model,
    id: record.id,
    version: 0,
    action,
    actor: 0,
    source: 'sweeper',
  }

/** Deletes whose request crashed or whose queue message was lost. */
export const dueRemovals: DueWork<ChangeEvent> = {
  kind: 'cleanup',
  partitions: cleanupDuePartitions,
  wakeOf: (sort) => sweeperEvent(parseDueSort(sort), 'delete'),
}

/** Records with overdue pending hooks. */
export const dueHooks: DueWork<ChangeEvent> = {
  kind: 'hooks',
  partitions: hooksDuePartitions,
  wakeOf: (sort) => sweeperEvent(parseDueSort(sort), 'update'),
}

/** Tables in which records were created since the last look, due when the oldest such create must have ended. */
export const dueCounts: DueWork<ChangeEvent> = {
  kind: 'cleanup',
  partitions: countDuePartitions,
  wakeOf(sort) {
    const table = parseCountDue(sort)
    return sweeperEvent(table && { ...table, id: 0 }, 'create')
  },
}

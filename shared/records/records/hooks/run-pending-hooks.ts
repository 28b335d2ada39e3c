import { findUser } from '../../../accounts/people/user.ts'
import { administratorRole } from '../../../accounts/roles/role.ts'
import { maxAfterHookTries } from '../../../kernel/limits/scripts.ts'
import { unrestricted } from '../../../kernel/principal.ts'
import { log } from '../../../kernel/runtime/log.ts'
import type { Tenant } from '../../../kernel/tenancy.ts'
import { type Clock, isoTime } from '../../../kernel/time/clock.ts'
import { hooksDueKey } from '../../../platform/store/keys/records.ts'
import { isLiving } from '../../../platform/store/rows/record-row.ts'
import { withNames } from '../../../platform/store/rows/stored-names.ts'
import { readKeptRecord } from '../../../platform/store/rows/tombstone-row.ts'
import { dueSlot, dueTaken, slotSort } from '../../../platform/store/slots.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import { ConditionFailed } from '../../../platform/store/writes/refusals.ts'
import type { NotificationPort } from '../../../scripts/api/notification-port.ts'
import { scriptAllowance } from '../../../scripts/api/script-chain.ts'
import type { Tables } from '../../../tables/tables/read-tables.ts'
import type { Automation, Table } from '../../../tables/tables/table.ts'
import { visibleData } from '../record-item.ts'
import {
  clearPendingHooks,
  type PendingHooks,
  pendingHooksUpdate,
  readPendingHooks,
  readPendingItem,
} from './pending-hooks.ts'
import { type HookActor, type HookContext, hookRunLog, runHook } from './run-hook.ts'

/** No other call runs the same hooks for this long: longer than a function that runs them may take. */
const leaseMs = 150_000

interface PendingHooksDependencies {
  readonly store: Store
  readonly tables: Tables
  readonly clock: Clock
  readonly open: () => Promise<HookContext>
  readonly activeHooks: (table: Table, kind: Automation['kind']) => readonly Automation[]
}

/**
 * Runs the pending hooks of a record or its tombstone, at least once, under their original run ids. They see the
 * current record. During a delete nothing runs: the end of the delete calls this again. Answers whether any were entry.
 */
export async function runPendingHooks(
  services: PendingHooksDependencies,
  tenant: Tenant,
  model: string,
  id: number,
  when: 'overdue' | 'now',
): Promise<boolean> {
  const item = await leasePendingHooks(services, tenant, model, id, when)
  if (!item) return false
  const table = await services.tables.find(tenant, model)
  const entries = readPendingHooks(item)
  const context = await services.open()
  const notifications = context.runtime.notifications()
  for (const entry of entries) {
    if ((entry.tries ?? 0) > maxAfterHookTries)
      log.error('dropped pending hooks', new Error('their function crashed too often'), {
        model,
        id,
        run_id: entry.run_id,
      })
    else if (table)
      await runEntry(context, services.activeHooks(table, entry.kind), tenant, table, item, entry, notifications)
  }
  const runIds = new Set(entries.map(({ run_id }) => run_id))
  await clearPendingHooks(services.store, { tenant, model, id, item }, runIds, notifications.writes, () =>
    services.clock.uuid(),
  )
  log.info('ran pending hooks', { model, id, entries: entries.length })
  return true
}

/**
 * Leases the pending hooks of an item. Undefined when there are none, they are not due, or another call holds the
 * lease.
 */
async function leasePendingHooks(
  { store, clock }: PendingHooksDependencies,
  tenant: Tenant,
  model: string,
  id: number,
  when: 'overdue' | 'now',
): Promise<Item | undefined> {
  const item = await readPendingItem(store, tenant, model, id)
  const entries = readPendingHooks(item)
  if (!item || entries.length === 0) return undefined
  if (item.kind === 'record' && !isLiving(item)) return undefined
  if (when === 'overdue' && !isTaken(item) && slotSort(item, dueSlot) > isoTime(clock.now())) return undefined
  const tried = JSON.stringify(entries.map((entry): PendingHooks => ({ ...entry, tries: (entry.tries ?? 0) + 1 })))
  const leaseEnd = hooksDueKey(isoTime(clock.now() + leaseMs), tenant, model, id).sk
  try {
    return await store.update(tenant, pendingHooksUpdate(item, tried, leaseEnd))
  } catch (error) {
    if (error instanceof ConditionFailed) return undefined
    throw error
  }
}

/** Whether the sweeper took the item, which moved its due time, and no call has leased its hooks since. */
const isTaken = (item: Item): boolean => item[dueTaken] !== undefined

async function runEntry(
  context: HookContext,
  hooks: readonly Automation[],
  tenant: Tenant,
  table: Table,
  item: Item,
  entry: PendingHooks,
  notifications: NotificationPort,
): Promise<void> {
  if (hooks.length === 0) return
  const user = await findUser(context.store, tenant, entry.user_id)
  const roles = user?.roles ?? []
  const actor: HookActor = {
    ...unrestricted,
    tenant,
    userId: entry.user_id,
    name: user?.name ?? '',
    email: user?.email ?? '',
    roles,
    isAdministrator: roles.includes(administratorRole),
    chain: { path: entry.path ?? [], allowance: scriptAllowance() },
    ...(entry.impersonator_id !== undefined && { impersonatorId: entry.impersonator_id }),
    ...(entry.source !== undefined && { source: entry.source }),
    ...(entry.suppressedRecipient !== undefined && { suppressedRecipient: entry.suppressedRecipient }),
    ...(entry.answering !== undefined && { answering: entry.answering }),
    ...(entry.skipsNotifications && { skipsNotifications: true }),
    ...(entry.batch_id !== undefined && { batchId: entry.batch_id }),
  }
  const kept = readKeptRecord(item, table)
  const recordId = kept.id
  const data = visibleData(table, kept.data)
  const old =
    entry.kind === 'after_create' ? undefined : { ...data, ...visibleData(table, withNames(table, entry.old ?? {})) }
  const { created_by, created_at } = kept
  const record =
    entry.kind === 'after_delete'
      ? { id: recordId, version: entry.version - 1, created_by, created_at, ...entry.before }
      : {
          id: recordId,
          version: entry.version,
          created_by,
          created_at,
          updated_by: entry.user_id,
          ...(entry.updated_at !== undefined && { updated_at: entry.updated_at }),
        }
  const runs = hookRunLog(context, actor, table)
  try {
    for (const automation of hooks) {
      const run = await runHook(
        context,
        actor,
        table,
        automation,
        { id: recordId, data, old, record },
        { runId: entry.run_id, notifications },
      )
      runs.add(run)
      if (run.result.status !== 'ok' && run.result.defect !== undefined) throw run.result.defect
    }
  } finally {
    await runs.write(recordId)
  }
}

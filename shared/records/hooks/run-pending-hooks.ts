import { administratorRole, findUser } from '../../auth/service.ts'
import { type Clock, isoTime } from '../../kernel/clock.ts'
import { log } from '../../kernel/log.ts'
import { unrestricted } from '../../kernel/principal.ts'
import type { Tenant } from '../../kernel/tenancy.ts'
import { type NotificationPort, scriptAllowance } from '../../scripts/service.ts'
import { afterDueKey } from '../../store/keys/records.ts'
import type { Item } from '../../store/marshal.ts'
import { ConditionFailed } from '../../store/refusals.ts'
import { isLiving } from '../../store/rows/record-row.ts'
import { readKeptRecord } from '../../store/rows/tombstone-row.ts'
import { dueSlot, slotSort } from '../../store/slots.ts'
import type { Store } from '../../store/table.ts'
import type { Automation, Table, Tables } from '../../tables/service.ts'
import { visibleData } from '../record-item.ts'
import { hookRunLog } from './create-hooked-operation.ts'
import {
  pendingHooksUpdate,
  clearPendingHooks,
  readPendingItem,
  type PendingHooks,
  readPendingHooks,
} from './pending-hooks.ts'
import { type HookActor, type HookContext, runHook } from './run-hook.ts'

/** Nobody else begins on a mark for so long: longer than any function runs that works on one. */
const leaseMs = 150_000
/** Hooks that took their function down so often are given up. */
const maxTries = 5

interface PendingHooksDependencies {
  readonly store: Store
  readonly tables: Tables
  readonly clock: Clock
  readonly open: () => Promise<HookContext>
  readonly activeHooks: (table: Table, kind: Automation['kind']) => readonly Automation[]
}

/**
 * Runs the after hooks that a record, or the tombstone it left, still bears: at least once, with the run ids they had. They
 * see the record as it stands now. While a delete is under way nothing happens: its end comes back to this.
 */
export async function runPendingHooks(
  deps: PendingHooksDependencies,
  tenant: Tenant,
  model: string,
  id: number,
  when: 'overdue' | 'now',
): Promise<boolean> {
  const item = await leasePendingHooks(deps, tenant, model, id, when)
  if (!item) return false
  const table = await deps.tables.find(tenant, model)
  const due = readPendingHooks(item)
  const parts = await deps.open()
  const notifications = parts.runtime.notifications()
  for (const one of due) {
    if ((one.tries ?? 0) > maxTries)
      log.error('gave up on after hooks', new Error('they ended their function too often'), {
        model,
        id,
        run_id: one.run_id,
      })
    else if (table) await runEntry(parts, deps.activeHooks(table, one.kind), tenant, table, item, one, notifications)
  }
  const runIds = new Set(due.map(({ run_id }) => run_id))
  await clearPendingHooks(deps.store, { tenant, model, id, item }, runIds, notifications.writes, () =>
    deps.clock.uuid(),
  )
  log.info('ran after hooks that were left undone', { model, id, entries: due.length })
  return true
}

/** The item with its mark, on which nobody else begins for a while; undefined when there is nothing to be done now. */
async function leasePendingHooks(
  { store, clock }: PendingHooksDependencies,
  tenant: Tenant,
  model: string,
  id: number,
  when: 'overdue' | 'now',
): Promise<Item | undefined> {
  const item = await readPendingItem(store, tenant, model, id)
  const due = readPendingHooks(item)
  if (!item || due.length === 0) return undefined
  if (item.kind === 'record' && !isLiving(item)) return undefined
  if (when === 'overdue' && slotSort(item, dueSlot) > isoTime(clock.now())) return undefined
  const tried = JSON.stringify(due.map((one): PendingHooks => ({ ...one, tries: (one.tries ?? 0) + 1 })))
  const later = afterDueKey(isoTime(clock.now() + leaseMs), tenant, model, id).sk
  try {
    return await store.update(tenant, pendingHooksUpdate(item, tried, later))
  } catch (error) {
    if (error instanceof ConditionFailed) return undefined
    throw error
  }
}

async function runEntry(
  parts: HookContext,
  hooks: readonly Automation[],
  tenant: Tenant,
  table: Table,
  item: Item,
  due: PendingHooks,
  notifications: NotificationPort,
): Promise<void> {
  if (hooks.length === 0) return
  const user = await findUser(parts.store, tenant, due.user_id)
  const roles = user?.roles ?? []
  const actor: HookActor = {
    ...unrestricted,
    tenant,
    userId: due.user_id,
    name: user?.name ?? '',
    email: user?.email ?? '',
    roles,
    isAdministrator: roles.includes(administratorRole),
    chain: { path: due.path ?? [], allowance: scriptAllowance() },
    ...(due.impersonator_id !== undefined && { impersonatorId: due.impersonator_id }),
    ...(due.source !== undefined && { source: due.source }),
  }
  const kept = readKeptRecord(item)
  const recordId = kept.id
  const data = visibleData(table, kept.data)
  const old = due.kind === 'after_create' ? undefined : { ...data, ...visibleData(table, due.old ?? {}) }
  const runs = hookRunLog(parts, actor, table)
  try {
    for (const automation of hooks) {
      const run = await runHook(
        parts,
        actor,
        table,
        automation,
        { id: recordId, data, old },
        { runId: due.run_id, notifications },
      )
      runs.add(run)
      if (run.result.status !== 'ok' && run.result.defect !== undefined) throw run.result.defect
    }
  } finally {
    await runs.write(recordId)
  }
}

import { Invalid } from '../../../kernel/failures/faults.ts'
import { mayFail } from '../../../kernel/runtime/log.ts'
import { recordKey } from '../../../platform/store/keys/records.ts'
import { withStoredNames } from '../../../platform/store/rows/stored-names.ts'
import type { Automation, Table } from '../../../tables/tables/table.ts'
import { type RecordData, visibleData } from '../record-item.ts'
import { changedFields } from '../write/check-fields.ts'
import type { HookedOperation } from './hooked-operation.ts'
import { addPendingHooks, clearPendingHooks, type PendingHooks } from './pending-hooks.ts'
import { type HookActor, type HookContext, type HookRun, hookRunLog, runHook } from './run-hook.ts'

/** Wraps one write of a record in its active hooks. */
export function createHookedOperation(
  context: HookContext,
  actor: HookActor,
  table: Table,
  { before, after }: { readonly before: readonly Automation[]; readonly after: readonly Automation[] },
): HookedOperation {
  const { clock, store, runtime } = context
  const { tenant } = actor
  const runId = clock.uuid()
  const log = hookRunLog(context, actor, table)
  let notifications = runtime.notifications()
  let recordId: number | null = null

  return {
    hasBefore: before.length > 0,
    intents: () => notifications.writes,

    async before({ id, data, old, record }) {
      recordId = id ?? null
      notifications = runtime.notifications()
      let current: RecordData = data ?? {}
      for (const automation of before) {
        const run = await runHook(
          context,
          actor,
          table,
          automation,
          { id, data: current, old, record },
          { runId, notifications },
        )
        log.add(run)
        if (run.result.status !== 'ok') {
          await log.write(recordId)
          throw refusal(run, actor)
        }
        const { id: _, ...rest } = run.result.data as Record<string, unknown>
        current = rest
      }
      return current
    },

    pendingHooks(record, earlier, existing) {
      recordId = record.id
      const [first] = after
      if (!first) return existing
      const pending: PendingHooks = {
        kind: first.kind as PendingHooks['kind'],
        version: record.version,
        updated_at: record.updated_at,
        run_id: runId,
        user_id: actor.userId,
        ...(actor.impersonatorId !== undefined && { impersonator_id: actor.impersonatorId }),
        ...(actor.source !== undefined && { source: actor.source }),
        ...(actor.suppressedRecipient !== undefined && { suppressedRecipient: actor.suppressedRecipient }),
        ...(actor.answering !== undefined && { answering: actor.answering }),
        ...(actor.skipsNotifications && { skipsNotifications: true }),
        ...(actor.batchId !== undefined && { batch_id: actor.batchId }),
        ...(actor.chain.path.length > 0 && { path: actor.chain.path }),
        ...(earlier && {
          before: { updated_by: earlier.updated_by, updated_at: earlier.updated_at },
          // A field may be renamed before the hooks run.
          old: withStoredNames(
            table,
            Object.fromEntries(
              changedFields(earlier.data, record.data).map((name) => [name, earlier.data[name] ?? null]),
            ),
          ),
        }),
      }
      return addPendingHooks(existing, pending)
    },

    async withRunLog(write) {
      const writing = log.write(recordId)
      try {
        return await write
      } finally {
        await writing
      }
    },

    after: async (record, earlier, written) => {
      if (after.length === 0) {
        // An import writes many records at once and does not call `withRunLog`.
        await log.write(record.id)
        return undefined
      }
      return mayFail('run after hooks', async () => {
        const variables = {
          id: record.id,
          data: visibleData(table, record.data),
          ...(earlier && { old: visibleData(table, earlier.data) }),
          // As it is stored now; of a deleted one, as it was stored last.
          record: after[0]?.kind === 'after_delete' ? earlier : record,
        }
        const afterNotifications = runtime.notifications()
        let calls = 0
        try {
          for (const automation of after) {
            const run = await runHook(context, actor, table, automation, variables, {
              runId,
              notifications: afterNotifications,
            })
            log.add(run)
            calls += run.result.calls
            // The hooks stay pending; the sweeper runs them again.
            if (run.result.status !== 'ok' && run.result.defect !== undefined) throw run.result.defect
          }
        } catch (error) {
          await log.write(record.id)
          throw error
        }
        const target = { tenant, model: table.name, id: record.id, item: written }
        const [item] = await Promise.all([
          clearPendingHooks(store, target, new Set([runId]), afterNotifications.writes, () => clock.uuid()),
          log.write(record.id),
        ])
        // A script that called the API may have written this record. Sent with intents, the update answered no item:
        // read it.
        return (
          item ??
          (calls > 0 && afterNotifications.writes.length > 0
            ? store.get(tenant, recordKey(tenant, table.name, record.id))
            : undefined)
        )
      })
    },
  }
}

/**
 * What a script throws on purpose becomes the answer as it is. A script that broke is named, and administrators also
 * read where (contract §3). A defect of the service is thrown as it is.
 */
function refusal(
  { automation, result: { error, defect } }: HookRun,
  { isAdministrator }: Pick<HookActor, 'isAdministrator'>,
): unknown {
  if (defect !== undefined) return defect
  const { message = 'The script failed', field, line = null, column = null, isDeliberate } = error ?? {}
  if (isDeliberate) return new Invalid(field ? { [field]: [message] } : {}, { code: 'refused_by_hook', message })
  return new Invalid(
    {},
    {
      code: 'hook_failed',
      message: `The hook "${automation.name}" (${automation.kind}) failed: ${message}`,
      ...(isAdministrator && { details: { automation_id: automation.id, line, column, error: message } }),
    },
  )
}

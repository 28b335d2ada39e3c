import { Invalid } from '../../kernel/faults.ts'
import { mayFail } from '../../kernel/log.ts'
import { runItem, writeRuns } from '../../scripts/service.ts'
import { recordKey } from '../../store/keys/records.ts'
import type { Automation, Table } from '../../tables/service.ts'
import { visibleData, type RecordData } from '../record-item.ts'
import { changedFields } from '../write/check-fields.ts'
import type { HookedOperation } from './hooked-operation.ts'
import { addPendingHooks, clearPendingHooks, type PendingHooks } from './pending-hooks.ts'
import { runHook, type HookActor, type HookContext, type HookRun } from './run-hook.ts'

/** One write of a record with the hooks that are active around it. */
export function createHookedOperation(
  parts: HookContext,
  actor: HookActor,
  table: Table,
  { before, after }: { readonly before: readonly Automation[]; readonly after: readonly Automation[] },
): HookedOperation {
  const { clock, store, runtime } = parts
  const { tenant } = actor
  const runId = clock.uuid()
  const log = hookRunLog(parts, actor, table)
  let notifications = runtime.notifications()
  let recordId: number | null = null

  return {
    hasBefore: before.length > 0,
    intents: () => notifications.writes,

    async before({ id, data, old }) {
      recordId = id ?? null
      notifications = runtime.notifications()
      let current: RecordData = data ?? {}
      for (const automation of before) {
        const run = await runHook(parts, actor, table, automation, { id, data: current, old }, { runId, notifications })
        log.add(run)
        if (run.result.status !== 'ok') {
          await log.write(recordId)
          throw refusal(run)
        }
        const { id: _, ...rest } = run.result.data as Record<string, unknown>
        current = rest
      }
      return current
    },

    pendingHooks(record, old, existing) {
      recordId = record.id
      const [first] = after
      if (!first) return existing
      const pending: PendingHooks = {
        kind: first.kind as PendingHooks['kind'],
        version: record.version,
        run_id: runId,
        user_id: actor.userId,
        ...(actor.impersonatorId !== undefined && { impersonator_id: actor.impersonatorId }),
        ...(actor.source !== undefined && { source: actor.source }),
        ...(actor.chain.path.length > 0 && { path: actor.chain.path }),
        ...(old && {
          old: Object.fromEntries(changedFields(old, record.data).map((name) => [name, old[name] ?? null])),
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

    after: async (record, old, written) => {
      if (after.length === 0) {
        // An import writes many records at once, beside nothing.
        await log.write(record.id)
        return undefined
      }
      return mayFail('run after hooks', async () => {
        const variables = {
          id: record.id,
          data: visibleData(table, record.data),
          ...(old && { old: visibleData(table, old) }),
        }
        const afterNotifications = runtime.notifications()
        let calls = 0
        try {
          for (const automation of after) {
            const run = await runHook(parts, actor, table, automation, variables, {
              runId,
              notifications: afterNotifications,
            })
            log.add(run)
            calls += run.result.calls
            // Left to the sweeper: the mark stays.
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
        // Scripts that called anything may have written the record itself; sent along with the mark, its item did not come back.
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

/** Collects the runs of one operation, to be written in one go where the request waits anyway. */
export function hookRunLog(
  { store, nextId }: Pick<HookContext, 'store' | 'nextId'>,
  actor: HookActor,
  table: Pick<Table, 'name'>,
) {
  let runs: HookRun[] = []
  return {
    add(run: HookRun): void {
      runs.push(run)
    },
    write(recordId: number | null): Promise<unknown> {
      const rows = runs.map(({ automation, runId, result }): ReturnType<typeof runItem> =>
        runItem(
          actor.tenant,
          nextId(),
          {
            runId,
            kind: automation.kind,
            automationId: automation.id,
            name: automation.name,
            model: table.name,
            recordId,
            userId: actor.userId,
            depth: actor.chain.path.length,
          },
          result,
        ),
      )
      runs = []
      return writeRuns(store, actor.tenant, rows)
    },
  }
}

/** What the caller is told: the script's own words. What failed in the service is no refusal. */
function refusal({ automation, result: { error, defect } }: HookRun): unknown {
  if (defect !== undefined) return defect
  const message = error?.message ?? `The hook ${automation.name} failed.`
  return new Invalid(error?.field ? { [error.field]: [message] } : {}, { code: 'refused_by_hook', message })
}

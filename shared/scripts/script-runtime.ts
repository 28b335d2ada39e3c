import { publicTable } from '../kernel/table-names.ts'
import type { Tenant } from '../kernel/tenancy.ts'
import { NoThreadFree } from '../kernel/throttling/throttled.ts'
import { type Clock, isoTime } from '../kernel/time/clock.ts'
import type { Store } from '../platform/store/store.ts'
import { type BotStates, botStates, dryRunBotStates } from './api/bot-states.ts'
import { byTableNames } from './api/by-table-names.ts'
import { type Dispatch, type NotificationPort, notificationPort } from './api/notification-port.ts'
import { type RecordAccess, scriptRecord, type ScriptRecord } from './api/record-access.ts'
import { scriptApi } from './api/script-api.ts'
import type { ScriptChain } from './api/script-chain.ts'
import { createSandbox } from './sandbox/sandbox.ts'
import { defaultLimits, type ScriptOutcome } from './sandbox/script-run.ts'
import { checkSource, ScriptSyntaxError } from './source/check-source.ts'

/** `$user`, as script authors see it: a published shape, so no principal's own. */
export interface ScriptUser {
  readonly id: number
  readonly name: string
  readonly email: string
  readonly roles: readonly string[]
}

/** One script to run: for which user and record, and what it may access. */
export interface ScriptJob {
  readonly tenant: Tenant
  readonly kind: string
  readonly script: string
  readonly model: string
  readonly recordId: number | null
  /** The record before the operation, as far as it is known; undefined when there was none. */
  readonly record?: Partial<ScriptRecord>
  /** What led to the operation: the `source` of its history, `api` for a request of the user. */
  readonly operationSource: string
  /** The process instance whose script it is; undefined for a hook. */
  readonly processId?: number
  /** See `NotificationSource`. */
  readonly incomingChannelId?: number
  readonly suppressedRecipient?: string
  readonly answering?: readonly string[]
  readonly skipsNotifications?: true
  /** `$context.run_id`: the same when the run is repeated after a crash. */
  readonly runId: string
  readonly chain: ScriptChain
  readonly user: ScriptUser
  /** The administrator who acts as the user. */
  readonly impersonatorId?: number
  readonly variables: { readonly data?: object; readonly old?: object; readonly incoming?: object }
  readonly records: RecordAccess
  readonly notifications: NotificationPort
  /** Whether the script may call the `$api` methods that write. */
  readonly mayWrite: boolean
  /** Bot states change for this run only, and are not stored. */
  readonly isDryRun?: boolean
}

export interface ScriptResult extends ScriptOutcome {
  /** When the run began. */
  readonly startedAt: number
  /** An error of the service, not of the script. */
  readonly defect?: unknown
}

export type ScriptRuntime = ReturnType<typeof openScriptRuntime>

/** Runs scripts in a sandbox with their `$api`. Imported by the first request that runs a script. */
export function openScriptRuntime({
  store,
  clock,
  dispatch,
  putObject,
}: {
  readonly store: Store
  readonly clock: Clock
  /** Passed in, because what sends is a higher slice. */
  readonly dispatch: Dispatch
  readonly putObject: (key: string, body: Uint8Array) => Promise<void>
}) {
  const sandbox = createSandbox()

  async function run(job: ScriptJob): Promise<ScriptResult> {
    const { chain, tenant, model, recordId, runId } = job
    const startedAt = clock.now()
    const leftMs = chain.allowance.leftMs(startedAt)
    if (leftMs <= 0)
      return { ...outcome('stopped', 'The scripts of one request exceeded their shared 20 s.'), startedAt }
    const stored: BotStates = botStates({ store, clock }, tenant)
    const api = scriptApi({
      records: byTableNames(job.records, tenant, clock),
      notifications: job.notifications,
      botStates: job.isDryRun ? dryRunBotStates(stored) : stored,
      source: {
        tenant,
        model,
        recordId,
        runId,
        // The record of a process script is among its variables as well.
        record: job.kind === 'process' ? { ...job.record } : { ...scriptRecord(job.record), ...job.variables.data },
        user: job.user,
        ...(job.processId === undefined ? { hook: job.kind } : { processId: job.processId }),
        ...(job.incomingChannelId !== undefined && { incomingChannelId: job.incomingChannelId }),
        ...(job.suppressedRecipient !== undefined && { suppressedRecipient: job.suppressedRecipient }),
        ...(job.answering !== undefined && { answering: job.answering }),
        ...(job.skipsNotifications && { skipsNotifications: true }),
        ...(job.impersonatorId !== undefined && {
          impersonation: { userId: job.user.id, impersonatorId: job.impersonatorId },
        }),
      },
      mayWrite: job.mayWrite,
    })
    const depth = chain.path.length - 1
    const context = {
      kind: job.kind,
      model: publicTable(tenant, model),
      id: recordId,
      depth,
      now: isoTime(startedAt),
      run_id: runId,
      source: job.operationSource,
    }
    chain.allowance.enter(startedAt)
    try {
      const ended = await sandbox.run({
        tenant: tenant.id,
        source: checkSource(job.script),
        variables: { ...job.variables, record: scriptRecord(job.record), user: job.user, context },
        host: api,
        depth,
        isExpression: job.kind === 'condition',
        limits: { wallMs: Math.min(leftMs, defaultLimits.wallMs) },
      })
      const log = [...ended.log, ...api.problems.map((message) => ({ level: 'error' as const, message }))]
      const defect = ended.noThread ? new NoThreadFree() : api.defect
      return { ...ended, log, startedAt, ...(defect !== undefined && { defect }) }
    } catch (error) {
      if (!(error instanceof ScriptSyntaxError)) throw error
      const { line, column } = error
      return { ...outcome('error', error.message, { line, column }), startedAt }
    } finally {
      chain.allowance.leave(clock.now())
    }
  }

  /** Collects what the scripts of one operation send. A dry run stores nothing. */
  const notifications = ({ isDryRun = false } = {}): NotificationPort =>
    notificationPort(dispatch, isDryRun ? undefined : putObject)

  return { run, notifications, close: () => sandbox.close() }
}

const outcome = (
  status: 'error' | 'stopped',
  message: string,
  position: { line?: number; column?: number } = {},
): ScriptOutcome => ({
  status,
  returned: false,
  log: [],
  error: { message, ...position },
  ms: 0,
  calls: 0,
})

import type { Clock } from '../../../kernel/time/clock.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { NotificationPort } from '../../../scripts/api/notification-port.ts'
import type { RecordAccess } from '../../../scripts/api/record-access.ts'
import { type ScriptChain, stepInto } from '../../../scripts/api/script-chain.ts'
import { runItem, writeRuns } from '../../../scripts/run-log.ts'
import type { ScriptResult, ScriptRuntime } from '../../../scripts/script-runtime.ts'
import type { Tables } from '../../../tables/tables/read-tables.ts'
import type { Automation, Table } from '../../../tables/tables/table.ts'
import type { Actor } from '../actor.ts'
import type { HookVariables } from './hooked-operation.ts'

/** Imports the script runtime. Passed in, so that only functions that write records bundle it. */
export type LoadScripts = () => Promise<{
  readonly openScriptRuntime: (services: { readonly store: Store; readonly clock: Clock }) => ScriptRuntime
}>

export interface HookContext {
  readonly store: Store
  readonly tables: Tables
  readonly clock: Clock
  readonly runtime: ScriptRuntime
  /**
   * Records as scripts of an actor reach them: as an administrator, because the user's permissions do not limit
   * scripts.
   */
  readonly recordsFor: (actor: Actor) => RecordAccess
  readonly nextId: () => number
}

/** The actor of a write with hooks: with the user's name and the scripts that led to the write. */
export type HookActor = Actor & { readonly chain: ScriptChain; readonly name: string; readonly email: string }

export interface HookRun {
  readonly automation: Automation
  readonly runId: string
  readonly result: ScriptResult
}

/** Runs one hook in the name of the actor. A failed script is a result; a failure of the service is thrown. */
export async function runHook(
  { runtime, recordsFor }: HookContext,
  actor: HookActor,
  table: Pick<Table, 'name'>,
  automation: Automation,
  { id, data, old, record }: HookVariables,
  operation: { readonly runId: string; readonly notifications: NotificationPort },
): Promise<HookRun> {
  const runId = `${operation.runId}.${automation.id}`
  const chain = stepInto(actor.chain, `${table.name}.${automation.kind}`)
  // A script's writes are not limited by its user's permissions.
  const records = recordsFor({ ...actor, chain, isAdministrator: true, source: 'script' })
  const withId = (fields: object | undefined) => fields && (id === undefined ? fields : { id, ...fields })
  const result = await runtime.run({
    tenant: actor.tenant,
    kind: automation.kind,
    script: automation.script,
    model: table.name,
    recordId: id ?? null,
    record,
    operationSource: actor.source ?? 'api',
    runId,
    chain,
    user: { id: actor.userId, name: actor.name, email: actor.email, roles: actor.roles },
    ...(actor.impersonatorId !== undefined && { impersonatorId: actor.impersonatorId }),
    ...(actor.suppressedRecipient !== undefined && { suppressedRecipient: actor.suppressedRecipient }),
    ...(actor.answering !== undefined && { answering: actor.answering }),
    ...(actor.skipsNotifications && { skipsNotifications: true }),
    variables: { data: withId(data), old: withId(old) },
    records,
    notifications: operation.notifications,
    mayWrite: automation.kind.startsWith('after_'),
  })
  return { automation, runId, result }
}

/** Collects the runs of one operation and writes their rows together, in parallel with a write of the request. */
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
            impersonatorId: actor.impersonatorId,
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

import { maxKeptLogCharacters } from '../kernel/limits/scripts.ts'
import { mayFail } from '../kernel/runtime/log.ts'
import type { TenantRef } from '../kernel/tenancy.ts'
import { type Clock, isoTime } from '../kernel/time/clock.ts'
import type { Key } from '../platform/store/keys/key.ts'
import { scriptRunKey, scriptRunsOfRecordPartition } from '../platform/store/keys/scripts.ts'
import { scriptRunSlot, slotEntry } from '../platform/store/slots.ts'
import type { Store } from '../platform/store/store.ts'
import { readJson, readJsonOrNull } from '../platform/store/values/json-attribute.ts'
import type { Item } from '../platform/store/values/marshal.ts'
import type { LogLine } from './sandbox/script-run.ts'
import type { ScriptRunAnswer } from './schema.ts'
import type { ScriptResult } from './script-runtime.ts'

const keptSeconds = 30 * 24 * 60 * 60

/** Which script ran, and for which record. */
export interface RunSubject {
  readonly runId: string
  readonly kind: string
  readonly automationId: number | null
  readonly name: string | null
  readonly model: string
  readonly recordId: number | null
  readonly userId: number
  readonly impersonatorId?: number
  readonly depth: number
}

/** The run log's row of one run. TTL removes it after thirty days. */
export const runItem = (tenant: TenantRef, id: number, subject: RunSubject, result: ScriptResult): Item & Key => ({
  ...scriptRunKey(tenant, id, subject.runId),
  kind: 'script_run',
  v: 1,
  id,
  run_id: subject.runId,
  script_kind: subject.kind,
  automation_id: subject.automationId,
  name: subject.name,
  model: subject.model,
  record_id: subject.recordId,
  user_id: subject.userId,
  impersonator_id: subject.impersonatorId,
  depth: subject.depth,
  status: result.status,
  ms: Math.round(result.ms),
  calls: result.calls,
  log: JSON.stringify(shortened(result.log)),
  error: result.error
    ? JSON.stringify({
        message: result.error.message,
        line: result.error.line ?? null,
        column: result.error.column ?? null,
      })
    : null,
  created_at: isoTime(result.startedAt),
  expires_at: Math.floor(result.startedAt / 1000) + keptSeconds,
  ...(subject.recordId !== null &&
    slotEntry(
      scriptRunSlot,
      scriptRunsOfRecordPartition(tenant, subject.model, subject.recordId),
      scriptRunKey(tenant, id, subject.runId).sk,
    )),
})

export const readRun = (item: Item): ScriptRunAnswer => ({
  id: Number(item.id),
  run_id: String(item.run_id),
  kind: String(item.script_kind),
  automation_id: item.automation_id as number | null,
  name: item.name as string | null,
  model: String(item.model),
  record_id: item.record_id as number | null,
  user_id: Number(item.user_id),
  ...(item.impersonator_id !== undefined && { impersonator_id: Number(item.impersonator_id) }),
  depth: Number(item.depth),
  status: item.status as ScriptRunAnswer['status'],
  ms: Number(item.ms),
  calls: Number(item.calls),
  log: readJson<ScriptRunAnswer['log']>(item, 'log'),
  error: readJsonOrNull<NonNullable<ScriptRunAnswer['error']>>(item, 'error'),
  created_at: String(item.created_at),
})

/** Writes run rows in one call. Never fails: a failure is logged, because the run log must not fail the request. */
export const writeRuns = (
  store: Pick<Store, 'putMany'>,
  tenant: TenantRef,
  rows: readonly (Item & Key)[],
): Promise<unknown> =>
  rows.length === 0 ? Promise.resolve() : mayFail('write the run log', () => store.putMany(tenant, rows))

/** What a filter asks of a row, without its log: a list looks through many rows. */
export const readRunHead = (item: Item): Pick<ScriptRunAnswer, 'model' | 'status' | 'automation_id'> => ({
  model: String(item.model),
  status: item.status as ScriptRunAnswer['status'],
  automation_id: item.automation_id as number | null,
})

/** Whether a row's thirty days are over; TTL removes it some time later. */
export const isExpired = (item: Item, clock: Pick<Clock, 'now'>): boolean =>
  Number(item.expires_at) * 1000 <= clock.now()

function shortened(log: readonly LogLine[]): readonly LogLine[] {
  let left = maxKeptLogCharacters
  const kept = log.filter(({ message }) => (left -= message.length) >= 0)
  return kept.length === log.length
    ? log
    : [...kept, { level: 'warn', message: `${log.length - kept.length} more lines were left out.` }]
}

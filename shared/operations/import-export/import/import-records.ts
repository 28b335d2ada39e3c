import type { Caller } from '../../../kernel/principal.ts'
import { Accepted, Reply } from '../../../platform/http/routing/envelope.ts'
import { idempotencyMs, keyReused } from '../../../platform/http/routing/idempotency-key.ts'
import type { Jobs } from '../../../platform/jobs/service.ts'
import { importKey } from '../../../platform/store/keys/jobs.ts'
import { keyHash } from '../../../platform/store/keys/key.ts'
import { idempotencyKey } from '../../../platform/store/keys/records.ts'
import { reserveIds } from '../../../platform/store/sequence/sequence.ts'
import { ConditionFailed, isRefusal } from '../../../platform/store/writes/refusals.ts'
import type { Actor } from '../../../records/records/actor.ts'
import type { Table } from '../../../tables/tables/table.ts'
import { endImportBatch, prepareImportBatch } from '../../batches/import-batch.ts'
import type { ImportAccepted, ImportAnswer } from '../schema.ts'
import type { ColumnLog } from './append-to-log.ts'
import { dryRunAnswer, dryRunRows, newDryRun } from './dry-run-rows.ts'
import {
  createdSoFar,
  handOver,
  importAnswer,
  type ImportProgress,
  isFree,
  progressItem,
  readProgress,
} from './import-progress.ts'
import { importRows } from './import-rows.ts'
import type { KeyedDependencies } from './keyed/find-by-key.ts'
import { type ImportPlan, planImport, type PlanRequest } from './keyed/import-plan.ts'
import { packPlan } from './keyed/stored-plan.ts'
import { importActor } from './legacy/import-actor.ts'
import { passNumbers } from './legacy/legacy-rows.ts'
import { readCells } from './read-cells.ts'
import { type ImportObjects, putRemainingRows, remainingRowsObject } from './remaining-rows.ts'

export type ImportDependencies = KeyedDependencies & {
  readonly columnLog: ColumnLog
  readonly jobs: Pick<Jobs, 'start'>
  readonly objects: ImportObjects
}

export interface ImportRequest extends PlanRequest {
  readonly rows: readonly unknown[]
  readonly dryRun: boolean
  /** Whether texts are read as the types of their fields do. */
  readonly coerce: boolean
  /** Nobody is notified of the records. */
  readonly skipsNotifications: boolean
  /** The `Idempotency-Key`. */
  readonly idempotencyKey?: string
  readonly timeIsUp: () => boolean
}

/** How long the progress row of an import in a job is kept. */
const jobMs = 7 * 24 * 60 * 60 * 1000

/**
 * Imports rows one by one: valid rows are stored, the others reported. A job stores the rest when time is up. With an
 * idempotency key a repeated request resumes the first one, or answers its result; no row is stored twice.
 */
export async function importRecords(
  services: ImportDependencies,
  caller: Caller,
  model: string,
  request: ImportRequest,
): Promise<ImportAnswer | Reply<ImportAnswer> | Accepted> {
  const { dryRun, coerce, skipsNotifications, timeIsUp } = request
  const table = await services.tables.require(caller.tenant, model)
  const rows = coerce ? readCells(table, request.rows) : request.rows
  const plan = { ...planImport(caller, table, request, rows), readsTitles: coerce }
  const actor = importActor(caller, plan, { skipsNotifications })
  if (dryRun) return tryRows(services, actor, table, plan, rows, timeIsUp)
  const begun = await beginImport(services, actor, table, plan, rows, request)
  const ofBatch = batchHeader(begun)
  if (begun.job) return accepted(begun.job, ofBatch)
  const { progress } = await importRows(
    services,
    importActor(caller, plan, { skipsNotifications, batchId: begun.batchId }),
    table,
    plan,
    rows,
    0,
    begun,
    timeIsUp,
  )
  if (progress.nextRow < progress.total) return continueInBackground(services, actor, table, plan, rows, progress)
  const answer = importAnswer(progress)
  if (begun.batchId !== undefined) await endImportBatch(services, caller.tenant, begun.batchId, answer)
  return new Reply(answer, ofBatch)
}

/** Checks rows within the time of the request; a job checks what is left. */
async function tryRows(
  services: ImportDependencies,
  actor: Actor,
  table: Table,
  plan: ImportPlan,
  rows: readonly unknown[],
  timeIsUp: () => boolean,
): Promise<ImportAnswer | Accepted> {
  const run = await dryRunRows(services, actor, table, plan, rows, 0, newDryRun, timeIsUp)
  if (run.nextRow >= rows.length) return dryRunAnswer(run, plan, rows.length)
  const { clock, jobs, objects } = services
  const { tenant } = actor
  const object = remainingRowsObject(tenant, clock.uuid())
  await putRemainingRows(objects, object, { offset: 0, rows, repeated: [...plan.repeated] })
  const input = { model: table.name, table: table.id, object, plan: packPlan(plan) }
  const id = await jobs.start(tenant, actor, 'import', input, { total: rows.length })
  return accepted({ id, created: 0 }, {})
}

const batchHeader = ({ batchId }: ImportProgress): Readonly<Record<string, string>> =>
  batchId === undefined ? {} : { 'x-batch-id': String(batchId) }

/** The progress of this import, which begins now or began with an earlier request with the same key. */
async function beginImport(
  { store, clock }: KeyedDependencies,
  actor: Actor,
  table: Table,
  plan: ImportPlan,
  read: readonly unknown[],
  { rows, idempotencyKey: key, coerce, skipsNotifications, mode, key: by, legacy }: ImportRequest,
): Promise<ImportProgress> {
  const { tenant, userId } = actor
  const progressKey =
    key === undefined
      ? importKey(tenant, clock.uuid())
      : idempotencyKey(tenant, userId, `POST /api/e/${table.name}/import`, key)
  const flags = {
    ...(coerce && { coerce }),
    ...(skipsNotifications && { skipsNotifications }),
    ...(mode && mode !== 'create' && { mode, key: by }),
    ...(legacy && { legacy }),
  }
  const bodyHash =
    key === undefined ? undefined : keyHash(JSON.stringify(Object.keys(flags).length > 0 ? { rows, ...flags } : rows))
  const now = clock.now()

  async function known(): Promise<ImportProgress | undefined> {
    const found = readProgress(progressKey, await store.get(tenant, progressKey), now)
    if (found && found.bodyHash !== bodyHash) throw keyReused()
    return found
  }

  const earlier = key === undefined ? undefined : await known()
  if (earlier) return earlier
  if (plan.isLegacy) await passNumbers({ store }, actor, table, read)
  const mayCreate = plan.mode === 'update' ? 0 : rows.length
  const firstId = mayCreate === 0 ? 1 : await reserveIds(store, tenant, table.name, mayCreate)
  // An import without rows has nothing to undo.
  const batch =
    rows.length === 0
      ? undefined
      : await prepareImportBatch({ store, clock }, actor, table.name, {
          firstId,
          total: rows.length,
          created: mayCreate,
        })
  const progress = {
    key: progressKey,
    model: table.name,
    bodyHash,
    total: rows.length,
    firstId,
    nextRow: 0,
    expiresAt: Math.floor((now + idempotencyMs) / 1000),
    ...(batch && { batchId: batch.id }),
    ...(plan.mode !== 'create' && { mode: plan.mode }),
  }
  try {
    await store.transact(
      tenant,
      [{ put: progressItem(progress), if: isFree(now) }, ...(batch ? [batch.write] : [])],
      clock.uuid(),
    )
    return { ...progress, failures: [] }
  } catch (error) {
    const concurrent = isRefusal(error) ? await known() : undefined
    if (concurrent) return concurrent
    throw error
  }
}

/**
 * Stores the remaining rows, starts the job, then notes it in the progress: a repeat after a crash does nothing twice.
 */
async function continueInBackground(
  { store, clock, jobs, objects }: ImportDependencies,
  actor: Actor,
  table: Table,
  plan: ImportPlan,
  rows: readonly unknown[],
  progress: ImportProgress,
): Promise<Accepted> {
  const { tenant } = actor
  const object = remainingRowsObject(tenant, clock.uuid())
  await putRemainingRows(objects, object, {
    offset: progress.nextRow,
    rows: rows.slice(progress.nextRow),
    repeated: [...plan.repeated],
  })
  const created = createdSoFar(progress)
  const id = await jobs.start(
    tenant,
    actor,
    'import',
    {
      model: progress.model,
      table: table.id,
      progress: progress.key,
      object,
      ...(actor.skipsNotifications && { skipsNotifications: true }),
      plan: packPlan(plan),
    },
    { total: progress.total },
  )
  try {
    await store.write(tenant, handOver(progress, id, created, Math.floor((clock.now() + jobMs) / 1000)))
    return accepted({ id, created }, batchHeader(progress))
  } catch (error) {
    // Another request with the same key, or an earlier attempt, noted its job first. Two jobs for the same rows do no
    // harm.
    const existing =
      error instanceof ConditionFailed ? readProgress(progress.key, error.existing, clock.now()) : undefined
    if (existing?.job) return accepted(existing.job, batchHeader(existing))
    throw error
  }
}

const accepted = (
  { id, created }: { readonly id: number; readonly created: number },
  headers: Readonly<Record<string, string>>,
): Accepted => new Accepted({ job_id: id, created } satisfies ImportAccepted, headers)

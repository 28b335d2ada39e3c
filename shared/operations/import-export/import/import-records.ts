import type { Caller } from '../../../kernel/principal.ts'
import { Accepted, Reply } from '../../../platform/http/routing/envelope.ts'
import { idempotencyMs, keyReused } from '../../../platform/http/routing/idempotency-key.ts'
import type { Jobs } from '../../../platform/jobs/service.ts'
import { importKey } from '../../../platform/store/keys/jobs.ts'
import { keyHash } from '../../../platform/store/keys/key.ts'
import { idempotencyKey } from '../../../platform/store/keys/records.ts'
import { reserveIds } from '../../../platform/store/sequence/sequence.ts'
import { ConditionFailed, isRefusal } from '../../../platform/store/writes/refusals.ts'
import type { Actor, RecordDependencies } from '../../../records/records/service.ts'
import type { Table } from '../../../tables/tables/service.ts'
import { endImportBatch, prepareImportBatch } from '../../batches/service.ts'
import type { ImportAccepted, ImportAnswer } from '../schema.ts'
import type { ColumnLog } from './append-to-log.ts'
import { dryRunRows } from './dry-run-rows.ts'
import {
  type ImportProgress,
  createdSoFar,
  handOver,
  importAnswer,
  isFree,
  progressItem,
  readProgress,
} from './import-progress.ts'
import { importRows } from './import-rows.ts'
import { readCells } from './read-cells.ts'
import { type ImportObjects, putRemainingRows, remainingRowsObject } from './remaining-rows.ts'

export interface ImportDependencies extends RecordDependencies {
  readonly columnLog: ColumnLog
  readonly jobs: Pick<Jobs, 'start'>
  readonly objects: ImportObjects
}

export interface ImportRequest {
  readonly rows: readonly unknown[]
  readonly dryRun: boolean
  /** Whether texts are read as the types of their fields do. */
  readonly coerce: boolean
  /** Nobody is notified of the records. */
  readonly skipsNotifications: boolean
  /** The `Idempotency-Key`. */
  readonly key?: string
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
  const actor: Actor = { ...caller, source: 'import', ...(skipsNotifications && { skipsNotifications }) }
  if (dryRun) return dryRunRows(services, actor, table, rows, timeIsUp)
  const begun = await beginImport(services, actor, table, request)
  const ofBatch = batchHeader(begun)
  if (begun.job) return accepted(begun.job, ofBatch)
  const { progress } = await importRows(services, inBatch(actor, begun), table, rows, 0, begun, timeIsUp)
  if (progress.nextRow < progress.total) return continueInBackground(services, actor, table, rows, progress)
  const answer = importAnswer(progress)
  if (begun.batchId !== undefined) await endImportBatch(services, caller.tenant, begun.batchId, answer)
  return new Reply(answer, ofBatch)
}

/** The writer of the rows, which belong to the batch of the import. */
export const inBatch = (actor: Actor, { batchId }: Pick<ImportProgress, 'batchId'>): Actor =>
  batchId === undefined ? actor : { ...actor, batchId }

const batchHeader = ({ batchId }: ImportProgress): Readonly<Record<string, string>> =>
  batchId === undefined ? {} : { 'x-batch-id': String(batchId) }

/** The progress of this import, which begins now or began with an earlier request with the same key. */
async function beginImport(
  { store, clock }: RecordDependencies,
  actor: Actor,
  table: Table,
  { rows, key, coerce, skipsNotifications }: ImportRequest,
): Promise<ImportProgress> {
  const { tenant, userId } = actor
  const progressKey =
    key === undefined
      ? importKey(tenant, clock.uuid())
      : idempotencyKey(tenant, userId, `POST /api/e/${table.name}/import`, key)
  const flags = { ...(coerce && { coerce }), ...(skipsNotifications && { skipsNotifications }) }
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
  const firstId = rows.length === 0 ? 1 : await reserveIds(store, tenant, table.name, rows.length)
  // An import without rows has nothing to undo.
  const batch =
    rows.length === 0
      ? undefined
      : await prepareImportBatch({ store, clock }, actor, table.name, { firstId, total: rows.length })
  const progress = {
    key: progressKey,
    model: table.name,
    bodyHash,
    total: rows.length,
    firstId,
    nextRow: 0,
    expiresAt: Math.floor((now + idempotencyMs) / 1000),
    ...(batch && { batchId: batch.id }),
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
  rows: readonly unknown[],
  progress: ImportProgress,
): Promise<Accepted> {
  const { tenant } = actor
  const object = remainingRowsObject(tenant, clock.uuid())
  await putRemainingRows(objects, object, { offset: progress.nextRow, rows: rows.slice(progress.nextRow) })
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

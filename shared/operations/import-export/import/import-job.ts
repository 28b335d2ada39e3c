import * as z from 'zod'
import { Conflict, Forbidden, NotFound } from '../../../kernel/failures/faults.ts'
import { unrestricted, type Viewer } from '../../../kernel/principal.ts'
import type { Tenant } from '../../../kernel/tenancy.ts'
import { defineJob, type JobKind, type JobStarter } from '../../../platform/jobs/define-job.ts'
import type { Actor } from '../../../records/records/actor.ts'
import { endImportBatch } from '../../batches/import-batch.ts'
import type { ColumnLog } from './append-to-log.ts'
import { type DryRun, dryRunAnswer, dryRunRows, newDryRun } from './dry-run-rows.ts'
import { importAnswer, readProgress } from './import-progress.ts'
import { importRows } from './import-rows.ts'
import type { KeyedDependencies } from './keyed/find-by-key.ts'
import { StoredPlan, unpackPlan } from './keyed/stored-plan.ts'
import { importActor } from './legacy/import-actor.ts'
import { fetchRemainingRows, type ImportObjects } from './remaining-rows.ts'

/** How long a job waits for the configuration of a table that was changed meanwhile. */
const changedPauseMs = 1_000

/** The starter of the job with its current permissions; undefined when that account is disabled. */
type FindViewer = (tenant: Tenant, userId: number) => Promise<Viewer | undefined>

/** What jobs that store rows need. */
export type ImportJobDependencies = KeyedDependencies & {
  readonly columnLog: ColumnLog
  readonly objects: ImportObjects
  readonly findViewer: FindViewer
}

const Input = z.object({
  model: z.string(),
  /** The table that the rows were sent to, which may be removed and made anew meanwhile. */
  table: z.number().optional(),
  /** Absent of a dry run. */
  progress: z.object({ pk: z.string(), sk: z.string() }).optional(),
  object: z.string(),
  skipsNotifications: z.literal(true).optional(),
  plan: StoredPlan.optional(),
})

/**
 * Resumes an import that its request had no time to finish. The import's own row has the progress, which advances
 * together with the records, so steps can be repeated. A dry run has its progress in the state of the job.
 */
export const importJob = (records: ImportJobDependencies): JobKind =>
  defineJob('import', Input, async ({ tenant, actor: starter, timeIsUp }, input, state: DryRun | undefined) => {
    const { model, table: sentTo, progress: key, object, skipsNotifications } = input
    const { store, tables, clock } = records
    const [table, found] = await Promise.all([tables.require(tenant, model), key && store.get(tenant, key)])
    const begun = key && readProgress(key, found, clock.now())
    if (key && !begun) throw new NotFound('job', { model }, 'The import was not found.')
    if (sentTo !== undefined && sentTo !== table.id)
      throw new Conflict(
        'write_conflict',
        `The table ${model} was removed during the import and made anew. Rows from ${begun?.nextRow ?? 0} on were not stored: send them again.`,
      )
    const { offset, rows, repeated } = await fetchRemainingRows(records.objects, object)
    const plan = unpackPlan(input.plan, { repeated })
    const actor = importActor(await actorOf(records, tenant, starter), plan, {
      skipsNotifications: skipsNotifications === true,
      batchId: begun?.batchId,
    })
    if (!begun) {
      const total = offset + rows.length
      const before = state ?? newDryRun
      const run = await dryRunRows(records, actor, table, plan, rows, offset, before, timeIsUp)
      const errors = run.failures.slice(before.failures.length)
      if (run.nextRow < total) return { state: run, done: run.nextRow, total, errors }
      return { ended: 'done', done: total, total, errors, result: dryRunAnswer(run, plan, total, 2) }
    }
    const { progress, tableChanged } = await importRows(records, actor, table, plan, rows, offset, begun, timeIsUp)
    const { nextRow, total } = progress
    // A dry run alone has a state.
    if (nextRow < total)
      return { state: newDryRun, done: nextRow, total, ...(tableChanged && { pauseMs: changedPauseMs }) }
    // The job answers the failures by themselves, and in the result.
    const result = importAnswer(progress, 2)
    if (begun.batchId !== undefined) await endImportBatch(records, tenant, begun.batchId, result)
    return { ended: 'done', done: total, total, errors: result.errors, result }
  })

/** The starter of a job as a writer. Row rules limit which records the rows may refer to, as in the request. */
export async function actorOf(
  { findViewer }: Pick<ImportJobDependencies, 'findViewer'>,
  tenant: Tenant,
  starter: JobStarter,
): Promise<Actor> {
  const viewer = starter.isAdministrator ? undefined : await findViewer(tenant, starter.userId)
  if (!viewer && !starter.isAdministrator)
    throw new Forbidden('forbidden', 'The user who started this import is disabled.')
  return { ...(viewer ?? unrestricted), ...starter, tenant }
}

import * as z from 'zod'
import { Conflict, Forbidden, NotFound } from '../../../kernel/failures/faults.ts'
import { unrestricted, type Viewer } from '../../../kernel/principal.ts'
import type { Tenant } from '../../../kernel/tenancy.ts'
import { defineJob, type JobKind } from '../../../platform/jobs/service.ts'
import type { RecordDependencies } from '../../../records/records/service.ts'
import { endImportBatch } from '../../batches/service.ts'
import type { ColumnLog } from './append-to-log.ts'
import { importAnswer, readProgress } from './import-progress.ts'
import { inBatch } from './import-records.ts'
import { importRows } from './import-rows.ts'
import { fetchRemainingRows, type ImportObjects } from './remaining-rows.ts'

/** How long a job waits for the configuration of a table that was changed meanwhile. */
const changedPauseMs = 1_000

/** The starter of the job with its current permissions; undefined when that account is disabled. */
type FindViewer = (tenant: Tenant, userId: number) => Promise<Viewer | undefined>

const Input = z.object({
  model: z.string(),
  /** The table that the rows were sent to, which may be removed and made anew meanwhile. */
  table: z.number().optional(),
  progress: z.object({ pk: z.string(), sk: z.string() }),
  object: z.string(),
  skipsNotifications: z.literal(true).optional(),
})

/**
 * Resumes an import that its request had no time to finish. The import's own row has the progress, which advances
 * together with the records, so steps can be repeated.
 */
export const importJob = (
  records: RecordDependencies & {
    readonly columnLog: ColumnLog
    readonly objects: ImportObjects
    readonly findViewer: FindViewer
  },
): JobKind =>
  defineJob('import', Input, async ({ tenant, actor, timeIsUp }, input) => {
    const { model, table: sentTo, progress: key, object, skipsNotifications } = input
    const { store, tables, clock } = records
    const [table, found] = await Promise.all([tables.require(tenant, model), store.get(tenant, key)])
    const begun = readProgress(key, found, clock.now())
    if (!begun) throw new NotFound('job', { model }, 'The import was not found.')
    if (sentTo !== undefined && sentTo !== table.id)
      throw new Conflict(
        'write_conflict',
        `The table ${model} was removed during the import and made anew. Rows from ${begun.nextRow} on were not stored: send them again.`,
      )
    const { offset, rows } = await fetchRemainingRows(records.objects, object)
    // Row rules limit which records the rows may refer to, as in the request.
    const viewer = actor.isAdministrator ? undefined : await records.findViewer(tenant, actor.userId)
    if (!viewer && !actor.isAdministrator)
      throw new Forbidden('forbidden', 'The user who started this import is disabled.')
    const { progress, tableChanged } = await importRows(
      records,
      inBatch(
        {
          ...(viewer ?? unrestricted),
          ...actor,
          tenant,
          source: 'import',
          ...(skipsNotifications && { skipsNotifications }),
        },
        begun,
      ),
      table,
      rows,
      offset,
      begun,
      timeIsUp,
    )
    const { nextRow, total } = progress
    if (nextRow < total) return { state: null, done: nextRow, total, ...(tableChanged && { pauseMs: changedPauseMs }) }
    // The job answers the failures by themselves, and in the result.
    const result = importAnswer(progress, 2)
    if (begun.batchId !== undefined) await endImportBatch(records, tenant, begun.batchId, result)
    return { ended: 'done', done: total, total, errors: result.errors, result }
  })

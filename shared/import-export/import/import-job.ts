import * as z from 'zod'
import { defineJob, type JobKind } from '../../jobs/service.ts'
import { Forbidden, NotFound } from '../../kernel/faults.ts'
import { unrestricted, type Viewer } from '../../kernel/principal.ts'
import type { Tenant } from '../../kernel/tenancy.ts'
import type { RecordDependencies } from '../../records/service.ts'
import { importAnswer, readProgress } from './import-progress.ts'
import { importRows } from './import-rows.ts'
import { fetchRest, type ImportObjects } from './rest-of-import.ts'

/** Whoever started the job, with what the roles allow now; undefined when that account is disabled. */
type FindViewer = (tenant: Tenant, userId: number) => Promise<Viewer | undefined>

const Input = z.object({
  model: z.string(),
  progress: z.object({ pk: z.string(), sk: z.string() }),
  object: z.string(),
})

/**
 * Goes on with an import that its request had no time for. Where it stands, the import's own row says, which moves together
 * with the records: a step that breaks off is simply begun again.
 */
export const importJob = (
  deps: RecordDependencies & { readonly objects: ImportObjects; readonly findViewer: FindViewer },
): JobKind =>
  defineJob('import', Input, async ({ tenant, actor, timeIsUp }, { model, progress: key, object }) => {
    const { store, tables, clock } = deps
    const [table, found] = await Promise.all([tables.require(tenant, model), store.get(tenant, key)])
    const begun = readProgress(key, found, clock.now())
    if (!begun) throw new NotFound('job', { model }, 'The import was not found.')
    const { offset, rows } = await fetchRest(deps.objects, object)
    // Rules limit which records the rows may refer to, here as in the request that began.
    const viewer = actor.isAdministrator ? undefined : await deps.findViewer(tenant, actor.userId)
    if (!viewer && !actor.isAdministrator)
      throw new Forbidden('forbidden', 'Whoever started this import may not sign in any more.')
    const progress = await importRows(
      deps,
      { ...(viewer ?? unrestricted), ...actor, tenant, source: 'import' },
      table,
      rows,
      offset,
      begun,
      timeIsUp,
    )
    const { nextRow, total } = progress
    if (nextRow < total) return { state: null, done: nextRow, total }
    return { ended: 'done', done: total, total, errors: progress.failures, result: importAnswer(progress) }
  })

import * as z from 'zod'
import { Forbidden, NotFound } from '../../kernel/failures/faults.ts'
import { unrestricted, type Viewer } from '../../kernel/principal.ts'
import type { Tenant } from '../../kernel/tenancy.ts'
import { defineJob, type JobKind } from '../../platform/jobs/define-job.ts'
import { batchKey } from '../../platform/store/keys/batches.ts'
import { wasApplied } from '../../platform/store/writes/refusals.ts'
import type { Actor } from '../../records/records/actor.ts'
import { answerBatch } from './answer-batch.ts'
import type { WorkDependencies } from './dependencies.ts'
import { type Batch, endBatch, readBatch } from './rows/batch-row.ts'
import { workBatch } from './work/work-batch.ts'

export const batchJobKind = 'batch'

/** The starter of the job with its current permissions; undefined when that account is disabled. */
type FindViewer = (tenant: Tenant, userId: number) => Promise<Viewer | undefined>

const Input = z.object({ batch_id: z.int() })

/**
 * Continues a batch that its request had no time to finish, or was cut off in. Pages are done once, and within a page
 * an entry is written with each record, so steps can be repeated.
 */
export const batchJob = (services: WorkDependencies & { readonly findViewer: FindViewer }): JobKind =>
  defineJob(
    batchJobKind,
    Input,
    async ({ tenant, actor: starter, timeIsUp }, { batch_id: id }) => {
      const { store, clock } = services
      const batch = readBatch(await store.get(tenant, batchKey(tenant, id)), clock.now())
      if (!batch) throw new NotFound('batch', { id })
      const viewer = starter.isAdministrator ? undefined : await services.findViewer(tenant, starter.userId)
      if (!viewer && !starter.isAdministrator)
        throw new Forbidden('forbidden', 'The user who started this batch is disabled.')
      const actor: Actor = { ...(viewer ?? unrestricted), ...starter, tenant }
      if (batch.status !== 'running') return ended(batch, await answerBatch(services, actor, batch))
      const reached = await workBatch(services, actor, batch, timeIsUp)
      const { matched, isDone } = reached
      if (!isDone) return { state: null, done: doneOf(reached), total: matched }
      await wasApplied(store.write(tenant, endBatch(tenant, id, clock.now())))
      return ended(reached, await answerBatch(services, actor, reached))
    },
    {
      async giveUp({ tenant }, { batch_id: id }) {
        const problem = 'The job that worked on it failed: its errors say why. What it did until then can be undone.'
        await wasApplied(services.store.write(tenant, endBatch(tenant, id, services.clock.now(), 'failed', problem)))
        return { batch_id: id }
      },
    },
  )

const doneOf = ({ changed, unchanged, failed }: Batch): number => changed + unchanged + failed

const ended = (batch: Batch, result: unknown) =>
  ({ ended: 'done', done: doneOf(batch), total: batch.matched, result }) as const

import { createJobs } from '../../shared/jobs/service.ts'
import { clock } from '../../shared/kernel/clock.ts'
import { reindexTable } from '../../shared/maintenance/rebuild/reindex-table.ts'
import { createConfig } from '../../shared/store/config.ts'
import { finishedJob } from '../make/builders/finished-job.ts'
import type { World } from './world.ts'

/** Runs what `npm run reindex -- --table <model>` runs, until its job has ended. */
export async function repairCount({ service, drain }: World, model: string): Promise<void> {
  const { store, cloud } = service
  const jobs = createJobs({ store, clock, send: async () => [], queueUrl: '' })
  const id = await reindexTable({ store, config: createConfig(store, clock), clock, jobs }, { id: 1 }, model)
  if (id === undefined) throw new Error(`there is no table ${model} to repair`)
  await cloud.invoke('due-sweeper')
  const { status } = await finishedJob(service, id)
  if (status !== 'done') throw new Error(`the repair of ${model} ended as ${status}`)
  await drain()
}

import { findViewer } from '../../shared/auth/service.ts'
import { exportJob, importJob } from '../../shared/import-export/service.ts'
import type { JobKind } from '../../shared/jobs/service.ts'
import { environment } from '../../shared/kernel/env.ts'
import type { Tenant } from '../../shared/kernel/tenancy.ts'
import { rebuildJob, repairJob } from '../../shared/maintenance/service.ts'
import { filesBucket } from '../../shared/objects/bucket.ts'
import { largeObjects } from '../../shared/objects/large-object.ts'
import { createSender } from '../../shared/queue/send.ts'
import type { compose } from '../wiring/compose.ts'

/** What the runner can do. A kind of job more is a line more. */
export const jobKinds = ({
  records,
  entities,
  store,
  config,
  tables,
  clock,
}: ReturnType<typeof compose>): readonly JobKind[] => {
  const viewer = (tenant: Tenant, userId: number) => findViewer({ store, config }, tenant, userId)
  return [
    importJob({ ...records, objects: filesBucket(), findViewer: viewer }),
    exportJob({ tables, queries: entities.queries, files: largeObjects(), clock, findViewer: viewer }),
    repairJob({
      store,
      tables,
      clock,
      objects: filesBucket(),
      send: createSender(),
      searchQueueUrl,
      settleMs: environment().SETTLE_MS,
    }),
    rebuildJob({ store, config, tables, clock, settleMs: environment().SETTLE_MS }),
  ]
}

function searchQueueUrl(): string {
  const url = process.env['SEARCH_QUEUE_URL']
  if (!url) throw new Error('SEARCH_QUEUE_URL is not set for this function')
  return url
}

import { createFiles } from '../../shared/files/service.ts'
import { clock } from '../../shared/kernel/clock.ts'
import { environment } from '../../shared/kernel/env.ts'
import { log, mayFail } from '../../shared/kernel/log.ts'
import { measure } from '../../shared/kernel/metrics.ts'
import { countFailedBatches } from '../../shared/objects/failed-batches.ts'
import { createStore } from '../../shared/store/table.ts'

const files = createFiles({ store: createStore(environment().TABLE_NAME), clock })
const perShard = 200

/**
 * Every few minutes: removes files that nobody claims, and cleans up behind writes that were cut off. Tells how many batches
 * of changes wait for a replay; it is the one that looks at S3 anyway.
 */
export async function handler(): Promise<{ released: number; removed: number }> {
  const failedBatches = await mayFail('count the failed batches', countFailedBatches)
  if (failedBatches !== undefined) measure('FailedBatches', failedBatches)
  const swept = await files.sweep(perShard)
  if (swept.released + swept.removed > 0) log.info('swept files', swept)
  return swept
}

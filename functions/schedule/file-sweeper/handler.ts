import { log, mayFail } from '../../../shared/kernel/runtime/log.ts'
import { measure } from '../../../shared/kernel/runtime/metrics.ts'
import { requireEnvironment } from '../../../shared/kernel/runtime/require-environment.ts'
import { clock } from '../../../shared/kernel/time/clock.ts'
import { countFailedBatches } from '../../../shared/platform/objects/count-failed-batches.ts'
import { openObjectStorage } from '../../../shared/platform/objects/object-storage.ts'
import { sweepFiles } from '../../../shared/tables/files/sweep-files.ts'
import { store } from '../../wiring/platform/store.ts'

const { deleteObject } = openObjectStorage(requireEnvironment('FILES_BUCKET'))
const sweeping = { store, clock, deleteObject }
const failedBatches = requireEnvironment('FAILED_BATCHES_BUCKET')
/** Time to finish what has begun. */
const reserveMs = 5_000

/**
 * Every few minutes: removes files without claims and finishes interrupted releases. Also measures how many failed
 * batches wait for a replay, because this function reads S3 anyway.
 */
export async function handler(
  _event: unknown,
  context: { getRemainingTimeInMillis(): number },
): Promise<{ released: number; removed: number }> {
  const waiting = await mayFail('count the failed batches', () => countFailedBatches(failedBatches))
  // A metric is billed for the hours in which it is published.
  if (waiting !== undefined && waiting > 0) measure('FailedBatches', waiting)
  const { failed, ...swept } = await sweepFiles(sweeping, () => context.getRemainingTimeInMillis() < reserveMs)
  if (swept.released + swept.removed > 0) log.info('swept files', swept)
  // They are due again later, each at a time of its own. The alarm rings when every run fails.
  if (failed > 0) throw new Error(`${failed} files or releases could not be worked off; the log says why`)
  return swept
}

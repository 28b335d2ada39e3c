import { environment } from '../../shared/kernel/env.ts'
import { log } from '../../shared/kernel/log.ts'
import { startRepairs } from '../../shared/maintenance/service.ts'
import { compose } from '../wiring/compose.ts'

const { store, tables, jobs, clock } = compose()
const afterMs = environment().REPAIR_AFTER_MS
const reserveMs = 10_000

/** Each night: has looked through what changed, tenant by tenant, as a job that mends what a fault left behind. */
export async function handler(
  _event: unknown,
  context: { getRemainingTimeInMillis(): number },
): Promise<{ started: number }> {
  const outcome = await startRepairs(
    { store, tables, jobs, clock, afterMs },
    () => context.getRemainingTimeInMillis() < reserveMs,
  )
  log.info('repairs started', outcome)
  return outcome
}

import { Unhealthy } from '../../../shared/kernel/failures/unhealthy.ts'
import { log } from '../../../shared/kernel/runtime/log.ts'
import { Throttled } from '../../../shared/kernel/throttling/throttled.ts'
import { inTimeLimit } from '../../../shared/kernel/throttling/time-limit.ts'
import type { Clock } from '../../../shared/kernel/time/clock.ts'
import { healthKey } from '../../../shared/platform/store/keys/health.ts'
import { deploymentWide, type Store } from '../../../shared/platform/store/store.ts'
import { exists } from '../../../shared/platform/store/writes/conditions.ts'
import { ConditionFailed } from '../../../shared/platform/store/writes/refusals.ts'

export interface HealthParts {
  readonly store: Pick<Store, 'write'>
  readonly clock: Pick<Clock, 'now' | 'sleep'>
}

/** So long an answer is given again: anybody may ask, and must not load the database by it. */
const keptMs = 2_000
const slowestMs = 3_000

/**
 * Checks that the database takes writes: it is asked for one whose condition never holds, which costs a write unit and
 * changes nothing. At most one every two seconds, whoever asks. The check throws Unhealthy.
 */
export function createHealthCheck({ store, clock }: HealthParts): () => Promise<void> {
  let checkedAt = Number.NEGATIVE_INFINITY
  let checked: Promise<Unhealthy | undefined> = Promise.resolve(undefined)
  let told: string | undefined

  async function check(): Promise<Unhealthy | undefined> {
    const found = await Promise.race([
      findFailure(store),
      clock.sleep(slowestMs).then(() => new Unhealthy('database_fails', { cause: 'no answer in 3 s' })),
    ])
    if (found && told !== found.status) log.error(`unhealthy: ${found.status}`, found.cause)
    if (!found && told !== undefined) log.warn('healthy again')
    told = found?.status
    return found
  }

  return async () => {
    if (clock.now() - checkedAt >= keptMs) {
      checkedAt = clock.now()
      checked = check()
    }
    const failure = await checked
    if (failure) throw failure
  }
}

/** Without retries of a throttled call: who asks wants to know how it is now. */
async function findFailure(store: HealthParts['store']): Promise<Unhealthy | undefined> {
  const change = { expression: 'SET v = :v', values: { ':v': 1 } }
  try {
    await inTimeLimit(
      () => 0,
      () => store.write(deploymentWide, { update: healthKey, change, if: exists }),
    )
    return undefined
  } catch (cause) {
    if (cause instanceof ConditionFailed) return undefined
    return new Unhealthy(cause instanceof Throttled ? 'database_refuses_writes' : 'database_fails', { cause })
  }
}

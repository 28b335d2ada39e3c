import { findDueIntents, wakeDueDeliveries } from '../../shared/deliveries/service.ts'
import { findDueJobs } from '../../shared/jobs/service.ts'
import { clock } from '../../shared/kernel/clock.ts'
import { log } from '../../shared/kernel/log.ts'
import { measure } from '../../shared/kernel/metrics.ts'
import { requireEnvironment } from '../../shared/kernel/require-environment.ts'
import { findDueProcesses, type DueProcess } from '../../shared/processes/service.ts'
import { findDueRemovals, findDueHooks } from '../../shared/records/service.ts'
import { oldestDueSeconds } from '../../shared/store/due/oldest-due.ts'
import { wakeDeliveries } from '../wiring/messages/wake-deliveries.ts'
import { send } from '../wiring/send.ts'
import { store } from '../wiring/store.ts'

const dependencies = { store, clock, wake: wakeDeliveries }
const queueUrls = {
  cleanup: requireEnvironment('CLEANUP_QUEUE_URL'),
  jobs: requireEnvironment('JOBS_QUEUE_URL'),
  processes: requireEnvironment('PROCESSES_QUEUE_URL'),
  expansions: requireEnvironment('EXPANSIONS_QUEUE_URL'),
}
const perShard = 250
/** Timers due before the next run are sent with a delay. A little more than a minute, in case that run is late. */
const lookaheadMs = 75_000

/** Runs every minute: finds due rows and sends a message to the consumer of each. */
export async function handler(): Promise<Readonly<Record<string, number>>> {
  const [oldest, removals, hooks, jobs, processes, intents] = await Promise.all([
    oldestDueSeconds(dependencies),
    findDueRemovals(dependencies, perShard),
    findDueHooks(dependencies, perShard),
    findDueJobs(dependencies, perShard),
    findDueProcesses(dependencies, perShard, lookaheadMs),
    findDueIntents(dependencies, perShard),
  ])
  for (const [kind, seconds] of oldest) measure('OldestDueSeconds', seconds, { kind })
  return {
    removals: await wake('cleanup', removals),
    hooks: await wake('cleanup', hooks),
    jobs: await wake('jobs', jobs),
    processes: await wakeProcesses(processes),
    intents: await wake('expansions', intents),
    deliveries: await wakeDueDeliveries(dependencies, perShard, lookaheadMs),
  }
}

async function wakeProcesses(due: readonly DueProcess[]): Promise<number> {
  const bySecond = Map.groupBy(due, ({ delaySeconds }) => delaySeconds)
  let sent = 0
  for (const [delaySeconds, some] of bySecond)
    sent += await wake(
      'processes',
      some.map((one) => one.wake),
      delaySeconds,
    )
  return sent
}

/** Sends messages and answers how many the queue accepted. The others stay due, and the next run retries them. */
async function wake(queue: keyof typeof queueUrls, due: readonly object[], delaySeconds = 0): Promise<number> {
  const refused = await send(queueUrls[queue], due, { delaySeconds })
  if (refused.length > 0)
    log.warn('the queue refused messages', { queue, refused: refused.length, reason: refused[0]?.reason })
  if (due.length > 0) log.info('sent messages for due rows', { queue, due: due.length })
  return due.length - refused.length
}

import { findDueIntents, wakeDueDeliveries } from '../../shared/deliveries/service.ts'
import { findDueJobs } from '../../shared/jobs/service.ts'
import { clock } from '../../shared/kernel/clock.ts'
import { log } from '../../shared/kernel/log.ts'
import { measure } from '../../shared/kernel/metrics.ts'
import { requireEnvironment } from '../../shared/kernel/require-environment.ts'
import { findDueProcesses } from '../../shared/processes/service.ts'
import type { SendOptions } from '../../shared/queue/send.ts'
import { findDueCounts, findDueHooks, findDueRemovals } from '../../shared/records/service.ts'
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
/** What a run looks at of each kind and shard: more than its consumers do in a minute. */
const perShard = 5_000
/** What it takes at once: taken work that it had no time to send is due again only two minutes later. */
const takenPerShard = 500
/** Time to send what was taken last. */
const reserveMs = 15_000
/** Timers and counts due before the next run are sent with a delay. A little more than a minute, in case that run is late. */
const lookaheadMs = 75_000

/** Runs every minute: finds due rows and sends a message to the consumer of each. */
export async function handler(
  _event: unknown,
  context: { getRemainingTimeInMillis(): number },
): Promise<Readonly<Record<string, number>>> {
  for (const [kind, seconds] of await oldestDueSeconds(dependencies)) measure('OldestDueSeconds', seconds, { kind })
  const timeIsUp = () => context.getRemainingTimeInMillis() < reserveMs
  const takeAll = async <T>(take: () => Promise<readonly T[]>, wakeAll: (due: readonly T[]) => Promise<number>) => {
    let sent = 0
    while (!timeIsUp()) {
      const due = await take()
      if (due.length === 0) break
      sent += await wakeAll(due)
    }
    return sent
  }
  const [hooks, intents] = await Promise.all([
    findDueHooks(dependencies, perShard),
    findDueIntents(dependencies, perShard),
  ])
  return {
    hooks: await wake('cleanup', hooks),
    intents: await wake('expansions', intents),
    deliveries: await wakeDueDeliveries(dependencies, perShard, lookaheadMs),
    removals: await takeAll(
      () => findDueRemovals(dependencies, takenPerShard),
      (due) => wake('cleanup', due),
    ),
    counts: await takeAll(
      () => findDueCounts(dependencies, takenPerShard, lookaheadMs),
      (due) => wakeLater('cleanup', due),
    ),
    jobs: await takeAll(
      () => findDueJobs(dependencies, takenPerShard),
      (due) =>
        wake(
          'jobs',
          due.map((one) => one.wake),
          { fairGroup: due.map(({ fairGroup }) => fairGroup) },
        ),
    ),
    processes: await takeAll(
      () => findDueProcesses(dependencies, takenPerShard, lookaheadMs),
      (due) => wakeLater('processes', due),
    ),
  }
}

/** Each when it is due. */
async function wakeLater(
  queue: keyof typeof queueUrls,
  due: readonly { readonly wake: object; readonly delaySeconds: number }[],
): Promise<number> {
  let sent = 0
  for (const [delaySeconds, some] of Map.groupBy(due, (one) => one.delaySeconds))
    sent += await wake(
      queue,
      some.map((one) => one.wake),
      { delaySeconds },
    )
  return sent
}

/** Sends messages and answers how many the queue accepted. The others are due again later. */
async function wake(queue: keyof typeof queueUrls, due: readonly object[], options: SendOptions = {}): Promise<number> {
  const refused = await send(queueUrls[queue], due, options)
  if (refused.length > 0)
    log.warn('the queue refused messages', { queue, refused: refused.length, reason: refused[0]?.reason })
  if (due.length > 0) log.info('sent messages for due rows', { queue, due: due.length })
  return due.length - refused.length
}

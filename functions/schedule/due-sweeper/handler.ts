import { findDueProcesses } from '../../../shared/automation/processes/runtime/find-due-processes.ts'
import { log } from '../../../shared/kernel/runtime/log.ts'
import { measure } from '../../../shared/kernel/runtime/metrics.ts'
import { requireEnvironment } from '../../../shared/kernel/runtime/require-environment.ts'
import { clock } from '../../../shared/kernel/time/clock.ts'
import { findDueIntents, wakeDueDeliveries } from '../../../shared/messages/deliveries/find-due.ts'
import { findDueJobs } from '../../../shared/platform/jobs/find-jobs.ts'
import type { SendOptions } from '../../../shared/platform/queue/send.ts'
import { oldestDueSeconds } from '../../../shared/platform/store/due/oldest-due.ts'
import type { TakeDependencies } from '../../../shared/platform/store/due/take-due.ts'
import { findDueCounts } from '../../../shared/records/records/count/find-due-counts.ts'
import { findDueRemovals } from '../../../shared/records/records/delete/find-due-removals.ts'
import { findDueHooks } from '../../../shared/records/records/hooks/pending-hooks.ts'
import { wakeDeliveries } from '../../wiring/messages/wake-deliveries.ts'
import { send } from '../../wiring/platform/send.ts'
import { store } from '../../wiring/platform/store.ts'

const dependencies = { store, clock, wake: wakeDeliveries }
const queueUrls = {
  cleanup: requireEnvironment('CLEANUP_QUEUE_URL'),
  jobs: requireEnvironment('JOBS_QUEUE_URL'),
  processes: requireEnvironment('PROCESSES_QUEUE_URL'),
  expansions: requireEnvironment('EXPANSIONS_QUEUE_URL'),
}
/** What it takes of a kind at once: taken work that it had no time to send is due again only two minutes later. */
const takenPerShard = 500
/** Time to send what was taken last. */
const reserveMs = 15_000
/** Timers, counts and deliveries due before the next run are sent with a delay. A little more than a minute, in case that run is late. */
const lookaheadMs = 75_000

/** How many rows were taken, and for how many of them a message was accepted. */
type Swept = { readonly taken: number; readonly sent: number }

async function takeAndWake<T>(
  take: Promise<readonly T[]>,
  wakeAll: (due: readonly T[]) => Promise<number>,
): Promise<Swept> {
  const due = await take
  return { taken: due.length, sent: await wakeAll(due) }
}

type SweepDependencies = typeof dependencies & Pick<TakeDependencies, 'tellWait'>

/** Takes and wakes some rows of each kind; `kind` is the one that `oldestDueSeconds` names. */
const sweeps: Readonly<Record<string, { readonly kind: string; run(services: SweepDependencies): Promise<Swept> }>> = {
  hooks: {
    kind: 'hooks',
    run: (services) => takeAndWake(findDueHooks(services, takenPerShard), (due) => wake('cleanup', due)),
  },
  intents: {
    kind: 'intents',
    run: (services) => takeAndWake(findDueIntents(services, takenPerShard), (due) => wake('expansions', due)),
  },
  deliveries: {
    kind: 'deliveries',
    async run(services) {
      const taken = await wakeDueDeliveries(services, takenPerShard, lookaheadMs)
      return { taken, sent: taken }
    },
  },
  removals: {
    kind: 'cleanup',
    run: (services) => takeAndWake(findDueRemovals(services, takenPerShard), (due) => wake('cleanup', due)),
  },
  counts: {
    kind: 'cleanup',
    run: (services) =>
      takeAndWake(findDueCounts(services, takenPerShard, lookaheadMs), (due) => wakeLater('cleanup', due)),
  },
  jobs: {
    kind: 'jobs',
    run: (services) =>
      takeAndWake(findDueJobs(services, takenPerShard), (due) =>
        wake(
          'jobs',
          due.map((one) => one.wake),
          { fairGroup: due.map(({ fairGroup }) => fairGroup) },
        ),
      ),
  },
  processes: {
    kind: 'processes',
    run: (services) =>
      takeAndWake(findDueProcesses(services, takenPerShard, lookaheadMs), (due) => wakeLater('processes', due)),
  },
}

/**
 * Runs every minute: takes due rows and sends a message to the consumer of each, until none is left or the time is up.
 * The kinds do not wait for each other, so many rows of one kind delay no other, nor does a kind that fails. Measures for
 * each kind how long the oldest row has waited, whether it was taken before or not.
 */
export async function handler(
  _event: unknown,
  context: { getRemainingTimeInMillis(): number },
): Promise<Readonly<Record<string, number>>> {
  const oldest = await oldestDueSeconds(dependencies)
  const sent = Object.fromEntries(Object.keys(sweeps).map((name) => [name, 0]))
  const ended = await Promise.allSettled(
    Object.entries(sweeps).map(async ([name, { kind, run }]) => {
      const tellWait = (seconds: number) => oldest.set(kind, Math.max(oldest.get(kind) ?? 0, seconds))
      let swept: Swept | undefined
      while (swept?.taken !== 0 && context.getRemainingTimeInMillis() > reserveMs) {
        swept = await run({ ...dependencies, tellWait })
        sent[name] = (sent[name] as number) + swept.sent
      }
    }),
  )
  // A metric is billed for the hours in which it is published: nothing that waits needs none.
  for (const [kind, seconds] of oldest) if (seconds > 0) measure('OldestDueSeconds', seconds, { kind })
  const failed = ended.find((one) => one.status === 'rejected')
  if (failed) throw failed.reason
  return sent
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

import { dueProcesses } from '../../../shared/automation/processes/runtime/due-processes.ts'
import { log } from '../../../shared/kernel/runtime/log.ts'
import { measure } from '../../../shared/kernel/runtime/metrics.ts'
import { requireEnvironment } from '../../../shared/kernel/runtime/require-environment.ts'
import { clock } from '../../../shared/kernel/time/clock.ts'
import { dueIntents, wakeDueDeliveries } from '../../../shared/messages/deliveries/find-due.ts'
import { dueJobs } from '../../../shared/platform/jobs/find-jobs.ts'
import type { DueKind } from '../../../shared/platform/store/due/due-kinds.ts'
import { type DueWake, type DueWork, takeDueWork } from '../../../shared/platform/store/due/due-work.ts'
import { oldestDueSeconds } from '../../../shared/platform/store/due/oldest-due.ts'
import type { TakeDependencies } from '../../../shared/platform/store/due/take-due.ts'
import { dueCounts, dueHooks, dueRemovals } from '../../../shared/records/records/due-work.ts'
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

type SweepDependencies = typeof dependencies & Pick<TakeDependencies, 'tellWait'>

/** Work whose rows wake messages of a queue. `isAhead`: messages are sent before it is due, with a delay. */
interface Queued {
  readonly work: DueWork<object>
  readonly queue: keyof typeof queueUrls
  readonly isAhead?: true
}

const queued: Readonly<Record<string, Queued>> = {
  hooks: { work: dueHooks, queue: 'cleanup' },
  intents: { work: dueIntents, queue: 'expansions' },
  removals: { work: dueRemovals, queue: 'cleanup' },
  counts: { work: dueCounts, queue: 'cleanup', isAhead: true },
  jobs: { work: dueJobs(clock), queue: 'jobs' },
  processes: { work: dueProcesses, queue: 'processes', isAhead: true },
}

async function takeAndWake({ work, queue, isAhead }: Queued, services: SweepDependencies): Promise<Swept> {
  const due = await takeDueWork(work, services, takenPerShard, isAhead ? lookaheadMs : 0)
  let sent = 0
  for (const [delaySeconds, some] of Map.groupBy(due, (one) => one.delaySeconds))
    sent += await wake(queue, some, delaySeconds)
  return { taken: due.length, sent }
}

interface Sweep {
  readonly kind: DueKind
  readonly run: (services: SweepDependencies) => Promise<Swept>
}

/** Takes and wakes some rows of each kind. */
const sweeps: Readonly<Record<string, Sweep>> = {
  ...Object.fromEntries(
    Object.entries(queued).map(([name, one]): [string, Sweep] => [
      name,
      { kind: one.work.kind, run: (services) => takeAndWake(one, services) },
    ]),
  ),
  deliveries: {
    kind: 'deliveries',
    async run(services) {
      const taken = await wakeDueDeliveries(services, takenPerShard, lookaheadMs)
      return { taken, sent: taken }
    },
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

/** Sends messages and answers how many the queue accepted. The others are due again later. */
async function wake(
  queue: keyof typeof queueUrls,
  due: readonly DueWake<object>[],
  delaySeconds: number,
): Promise<number> {
  const fairGroup = due.flatMap((one) => one.fairGroup ?? [])
  const refused = await send(
    queueUrls[queue],
    due.map((one) => one.wake),
    { delaySeconds, ...(fairGroup.length > 0 && { fairGroup }) },
  )
  if (refused.length > 0)
    log.warn('the queue refused messages', { queue, refused: refused.length, reason: refused[0]?.reason })
  log.info('sent messages for due rows', { queue, due: due.length })
  return due.length - refused.length
}

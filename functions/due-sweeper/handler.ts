import { clock } from '../../shared/clock.ts'
import { environment } from '../../shared/env.ts'
import { findDueRemovals } from '../../shared/entities/find-due-removals.ts'
import { log } from '../../shared/log.ts'
import { createSender } from '../../shared/queue/send.ts'
import { createStore } from '../../shared/store/table.ts'

const store = createStore(environment().TABLE_NAME)
const send = createSender()
const perShard = 250

/** Each minute: finds what is due or was left behind, and wakes its consumer. */
export async function handler(): Promise<{ removals: number }> {
  const queueUrl = process.env.REMOVAL_QUEUE_URL
  if (!queueUrl) throw new Error('REMOVAL_QUEUE_URL is not set for this function')
  const due = await findDueRemovals({ store, clock }, perShard)
  const refused = await send(queueUrl, due)
  // They stay due: the next minute tries again.
  if (refused.length > 0) log.warn('the queue refused wake-ups', { refused: refused.length, reason: refused[0]?.reason })
  if (due.length > 0) log.info('woke unfinished deletes', { removals: due.length })
  return { removals: due.length - refused.length }
}

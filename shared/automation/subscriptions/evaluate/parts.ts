import * as z from 'zod'
import { ChangeEvent, orderOfRecord } from '../../../platform/queue/change-feed/change-event.ts'
import type { Send } from '../../../platform/queue/send.ts'
import { keyHash } from '../../../platform/store/keys/key.ts'

/** Some of the people whom a change tells. */
const Part = z.object({
  /** The subscription by which they are notified; null: they watch the record. */
  subscription: z.int().nullable(),
  users: z.array(z.int()),
  /** An earlier attempt may have told some of them. */
  again: z.literal(true).optional(),
})
export type Part = z.output<typeof Part>

/** A change of a record, or a part of the people it concerns: a change that concerns many is split into several messages. */
export const SubscriptionMessage = ChangeEvent.extend({ part: Part.optional() })
export type SubscriptionMessage = z.output<typeof SubscriptionMessage>

/** Where parts are sent: the queue of the changes themselves. */
export interface PartQueue {
  readonly send: Send
  readonly queueUrl: string
}

/** The people of one message. */
export const peoplePerPart = 100

/** Divides the people of a part into parts of one message each. */
export const divide = ({ users, ...part }: Part): Part[] =>
  Array.from({ length: Math.ceil(users.length / peoplePerPart) }, (_, n) => ({
    ...part,
    users: users.slice(n * peoplePerPart, (n + 1) * peoplePerPart),
  }))

/**
 * Sends parts of a change behind the messages of its record. The same parts have the same ids in every attempt, so that the
 * queue takes a repeat within five minutes for the first; a later one tells nobody twice. Throws when the queue refuses one.
 */
export async function sendParts(
  { send, queueUrl }: PartQueue,
  { part: _, ...event }: SubscriptionMessage,
  parts: readonly Part[],
): Promise<void> {
  const { group, id } = orderOfRecord(event)
  const order = parts.map(({ subscription, users }) => ({
    group,
    id: keyHash(JSON.stringify([id, subscription, users])),
  }))
  const messages = parts.map((part): SubscriptionMessage => ({ ...event, part }))
  const [refused] = await send(queueUrl, messages, { order })
  if (refused) throw new Error(`the queue refused people to tell: ${refused.reason}`)
}

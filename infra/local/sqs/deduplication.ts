/** Deduplication of a FIFO queue: a deduplication id that repeats within five minutes is answered, not queued. */

import type { Op, Storage } from '../runtime/storage/storage.ts'
import { scan } from './message-store.ts'

export interface SentMessage {
  readonly messageId: string
  readonly sequence: number
}

export interface Deduplication {
  /** The message sent with this id, and when it is durable. */
  find(id: string): { readonly sent: SentMessage; readonly durable: Promise<unknown> } | undefined
  /** Claims an id at once. The claim is withdrawn if `durable`, the write of the operation, fails. */
  claim(id: string, sent: SentMessage, durable: Promise<unknown>): Op
  /** Operations that delete claims older than five minutes. */
  forgetOld(): Op[]
}

interface Claim {
  readonly at: number
  readonly sent: SentMessage
  readonly durable: Promise<unknown>
}

const windowMs = 5 * 60_000

export async function openDeduplication(
  storage: Storage,
  queueName: string,
  now: () => number,
): Promise<Deduplication> {
  const prefix = `sqs/${queueName}/deduplication/`
  const stored: [string, Claim][] = []
  for await (const [key, value] of scan(storage, prefix)) {
    stored.push([
      key.slice(prefix.length),
      { ...(JSON.parse(value) as { at: number; sent: SentMessage }), durable: Promise.resolve() },
    ])
  }
  const claims = new Map(stored.toSorted(([, a], [, b]) => a.at - b.at))

  return {
    find(id) {
      const claim = claims.get(id)
      return claim && claim.at > now() - windowMs ? claim : undefined
    },
    claim(id, sent, durable) {
      const claim = { at: now(), sent, durable }
      claims.delete(id) // else the map keeps the position of the old claim
      claims.set(id, claim)
      durable.catch(() => claims.get(id) === claim && claims.delete(id))
      return { type: 'put', key: prefix + id, value: JSON.stringify({ at: claim.at, sent }) }
    },
    forgetOld() {
      const ops: Op[] = []
      for (const [id, { at }] of claims) {
        if (at > now() - windowMs) break
        claims.delete(id)
        ops.push({ type: 'del', key: prefix + id })
      }
      return ops
    },
  }
}

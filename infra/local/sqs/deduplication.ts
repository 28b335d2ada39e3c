import type { Op, Storage } from '../runtime/storage.ts'
/** What a FIFO queue was sent in the last five minutes: the same deduplication id again is answered, not queued. */
import { scan } from './message-store.ts'

export interface SentMessage {
  readonly messageId: string
  readonly sequence: number
}

export interface Deduplication {
  /** The message that took this id, and when it is durable. */
  find(id: string): { readonly sent: SentMessage; readonly durable: Promise<unknown> } | undefined
  /** Claims an id at once; the claim is withdrawn when `durable`, which writes the operation, fails. */
  claim(id: string, sent: SentMessage, durable: Promise<unknown>): Op
  /** The operations that forget what is older than five minutes. */
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
      claims.delete(id) // an old claim keeps its place in line otherwise
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

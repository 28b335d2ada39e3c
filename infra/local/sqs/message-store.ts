/**
 * How the messages of one queue are stored: a line of JSON, then the body. Counts of failed receives have rows of
 * their own.
 */
import type { Op, Storage } from '../runtime/storage/storage.ts'

export interface MessageAttribute {
  readonly DataType: string
  readonly StringValue?: string
  readonly BinaryValue?: string
}

/** A message without its body. */
export interface MessageHead {
  readonly id: string
  /** ms since the epoch, like all times here */
  readonly sentAt: number
  /** Set when the message was sent with a delay. */
  readonly visibleAt?: number
  readonly group?: string
  readonly deduplicationId?: string
  readonly attributes?: Readonly<Record<string, MessageAttribute>>
  readonly deadLetterSource?: string
  /** System attributes that its sender gave it. */
  readonly system?: Readonly<Record<string, string>>
}

export interface MessageStore {
  putOp(sequence: number, head: MessageHead, body: string): Op
  removeOps(sequence: number): Op[]
  read(sequence: number): { head: MessageHead; body: string }
  /** Stores how often a message was received, so that a restart does not reset it. */
  saveReceives(sequence: number, receives: number): Promise<void>
  /** All stored messages, in the order they were sent. */
  all(): AsyncGenerator<{ sequence: number; head: MessageHead; receives: number }>
}

export function openMessageStore(storage: Storage, queueName: string): MessageStore {
  const messages = `sqs/${queueName}/message/`
  const receives = `sqs/${queueName}/receives/`
  const key = (prefix: string, sequence: number): string => prefix + String(sequence).padStart(16, '0')

  return {
    putOp: (sequence, head, body) => ({
      type: 'put',
      key: key(messages, sequence),
      value: `${JSON.stringify(head)}\n${body}`,
    }),
    removeOps: (sequence) => [
      { type: 'del', key: key(messages, sequence) },
      { type: 'del', key: key(receives, sequence) },
    ],
    read: (sequence) => parse(storage.get(key(messages, sequence))!),
    saveReceives: (sequence, count) =>
      storage.commit([{ type: 'put', key: key(receives, sequence), value: String(count) }]),
    async *all() {
      for await (const [stored, value] of scan(storage, messages)) {
        const sequence = Number(stored.slice(messages.length))
        yield { sequence, head: parse(value).head, receives: Number(storage.get(key(receives, sequence)) ?? 0) }
      }
    },
  }
}

/** All entries whose keys begin with a prefix, read in pages. */
export async function* scan(storage: Storage, prefix: string): AsyncGenerator<[key: string, value: string]> {
  const pageSize = 1000
  for (let after = prefix; ;) {
    const page = await storage.range({ gt: after, lt: `${prefix}\uffff`, limit: pageSize })
    yield* page
    if (page.length < pageSize) return
    after = page.at(-1)![0]
  }
}

function parse(value: string): { head: MessageHead; body: string } {
  const end = value.indexOf('\n')
  return { head: JSON.parse(value.slice(0, end)) as MessageHead, body: value.slice(end + 1) }
}

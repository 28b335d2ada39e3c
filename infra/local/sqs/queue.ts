/**
 * One durable SQS queue. A message is stored before its sender gets an answer, until its consumer deletes it. Memory
 * holds only its state (message-visibility.ts); bodies are read when they are received. After a crash all unfinished
 * messages are visible again, with the receive count of their last failure; from then on each receive of them is stored
 * before it, so that one which ends the process each time reaches the dead-letter queue.
 */
import { createHash, randomUUID } from 'node:crypto'
import { afterOutages, type Outage } from '../runtime/storage/outage.ts'
import type { Op, Storage } from '../runtime/storage/storage.ts'
import type { Timeline } from '../runtime/timing/timeline.ts'
import { openDeduplication } from './deduplication.ts'
import type { SentMessage } from './deduplication.ts'
import type { Disorder } from './disorder.ts'
import { openMessageStore } from './message-store.ts'
import type { MessageAttribute, MessageHead } from './message-store.ts'
import { openMessageVisibility } from './message-visibility.ts'
import type { MessageEntry } from './message-visibility.ts'
import { fifoOrder, randomOrder, standardOrder } from './queue-order.ts'
import { systemAttributes } from './system-attributes.ts'

export interface QueueDefinition {
  readonly name: string
  readonly arn: string
  readonly fifo: boolean
  readonly contentBasedDeduplication: boolean
  readonly visibilityMs: number
  readonly delayMs: number
  readonly receiveWaitMs: number
  readonly retentionMs: number
  readonly maxMessageBytes: number
  readonly redrive?: { readonly deadLetterArn: string; readonly maxReceiveCount: number }
}

export interface OutgoingMessage {
  readonly body: string
  readonly attributes?: Readonly<Record<string, MessageAttribute>>
  readonly group?: string
  readonly deduplicationId?: string
  readonly delayMs?: number
  readonly system?: Readonly<Record<string, string>>
}

export interface ReceivedMessage extends SentMessage {
  readonly handle: string
  /** End of the visibility timeout (ms since the epoch). */
  readonly hiddenUntil: number
  readonly receives: number
  readonly body: string
  readonly attributes: Readonly<Record<string, MessageAttribute>>
  readonly system: Readonly<Record<string, string>>
}

export interface Queue {
  readonly definition: QueueDefinition
  readonly counts: { readonly visible: number; readonly inFlight: number; readonly delayed: number }
  /** Resolves when all messages are durable. */
  send(messages: readonly OutgoingMessage[]): Promise<SentMessage[]>
  take(max: number, visibilityMs?: number): ReceivedMessage[]
  /** False for a handle whose message was received again since. */
  delete(handles: readonly string[]): Promise<boolean[]>
  /** 0 makes the message visible at once. False when it is no longer in flight under this handle. */
  changeVisibility(handle: string, ms: number): Promise<boolean>
  /**
   * Makes a message visible again after `ms`, unless its consumer wants it earlier. `counts`: as a failed attempt; otherwise as
   * one that was not begun.
   */
  release(message: ReceivedMessage, ms: number, counts?: boolean): Promise<void>
  /** Calls the listener whenever messages may be visible. Returns a function that removes it. */
  onArrival(listener: () => void): () => void
  purge(): Promise<void>
  close(): void
  /** Used by a queue that moves a message to this one: what to commit, and what to do when it is durable. */
  prepare(head: MessageHead, body: string): PreparedMessage
  /** Calls the listeners. */
  notify(): void
}

interface PreparedMessage {
  readonly op: Op
  readonly sent: SentMessage
  publish(): void
}

export interface QueueOptions {
  readonly timeline: Timeline
  /** Of a standard queue; without it messages arrive at once, once, and in a fair order. */
  readonly disorder?: Disorder
  readonly deadLetterQueue: () => Queue | undefined
}

export async function openQueue(
  storage: Storage,
  definition: QueueDefinition,
  { timeline, disorder: ofStandard, deadLetterQueue }: QueueOptions,
): Promise<Queue> {
  const { now } = timeline
  const disorder = definition.fifo ? undefined : ofStandard
  const store = openMessageStore(storage, definition.name)
  const deduplication = await openDeduplication(storage, definition.name, now)
  const messages = openMessageVisibility({
    order: definition.fifo ? fifoOrder() : disorder ? randomOrder(disorder.random) : standardOrder(),
    timeline,
    // If this is not written, a crash allows one attempt more.
    onFailedReceive: ({ sequence: own, receives }) => void store.saveReceives(own, receives).catch(() => {}),
  })
  // Ascending across restarts, without a stored counter.
  let sequence = now() * 1000
  let suspendedBy: Outage | undefined
  /** Messages that an earlier process did not finish: one of them may be what ended it. */
  const leftOver = new Set<number>()

  function prepare(head: MessageHead, body: string): PreparedMessage {
    const own = ++sequence
    return {
      op: store.putOp(own, head, body),
      sent: { messageId: head.id, sequence: own },
      publish: () => messages.add(own, head, 0, disorder?.arrivalMs()),
    }
  }

  function headOf(
    { group, attributes, system, delayMs = definition.delayMs }: OutgoingMessage,
    deduplicationId: string | undefined,
  ): MessageHead {
    const sentAt = now()
    return {
      id: randomUUID(),
      sentAt,
      visibleAt: delayMs > 0 ? sentAt + delayMs : undefined,
      group,
      deduplicationId,
      attributes,
      system,
    }
  }

  async function send(outgoing: readonly OutgoingMessage[]): Promise<SentMessage[]> {
    const ops: Op[] = definition.fifo ? deduplication.forgetOld() : []
    const prepared: PreparedMessage[] = []
    const { promise: durable, resolve, reject } = Promise.withResolvers<void>()
    const allDurable: Promise<unknown>[] = [durable]
    const sent = outgoing.map((message) => {
      const deduplicationId = definition.fifo ? (message.deduplicationId ?? digestOf(message.body)) : undefined
      const duplicate = deduplicationId === undefined ? undefined : deduplication.find(deduplicationId)
      if (duplicate) {
        allDurable.push(duplicate.durable)
        return duplicate.sent
      }
      const one = prepare(headOf(message, deduplicationId), message.body)
      prepared.push(one)
      ops.push(one.op)
      if (deduplicationId !== undefined) ops.push(deduplication.claim(deduplicationId, one.sent, durable))
      return one.sent
    })
    storage.commit(ops).then(resolve, reject)
    await Promise.all(allDurable)
    for (const one of prepared) one.publish()
    if (prepared.length > 0) messages.notify()
    return sent
  }

  function receive(entry: MessageEntry, visibilityMs: number): ReceivedMessage {
    const { head, body } = store.read(entry.sequence)
    entry.receives++
    entry.firstReceivedAt ||= now()
    // Not waited for: it is on its way to the disk before the consumer has begun.
    if (leftOver.has(entry.sequence)) void store.saveReceives(entry.sequence, entry.receives).catch(() => {})
    const repeatMs = entry.receives === 1 ? disorder?.repeatMs() : undefined
    messages.hideUntil(entry, now() + Math.min(visibilityMs, repeatMs ?? Infinity))
    return {
      messageId: head.id,
      sequence: entry.sequence,
      handle: `${entry.sequence}-${entry.receives}`,
      hiddenUntil: entry.visibleAt,
      receives: entry.receives,
      body,
      attributes: head.attributes ?? {},
      system: systemAttributes(definition, entry, head),
    }
  }

  const isExpired = (entry: MessageEntry): boolean => entry.sentAt + definition.retentionMs < now()
  const isReceivedTooOften = (entry: MessageEntry): boolean =>
    definition.redrive !== undefined && entry.receives >= definition.redrive.maxReceiveCount

  /** Moves messages to the dead-letter queue, or deletes those past their retention period, in one commit. */
  async function giveUp(given: readonly MessageEntry[]): Promise<void> {
    const target = deadLetterQueue()
    const prepared: PreparedMessage[] = []
    const ops = given.flatMap((entry) => {
      if (isExpired(entry) || !target) return store.removeOps(entry.sequence)
      const { head, body } = store.read(entry.sequence)
      const one = target.prepare({ ...head, visibleAt: undefined, deadLetterSource: definition.arn }, body)
      prepared.push(one)
      return [...store.removeOps(entry.sequence), one.op]
    })
    await storage.commit(ops)
    for (const one of prepared) one.publish()
    given.forEach(messages.remove)
    messages.notify()
    target?.notify()
  }

  /** Consumers could store nothing, and their failures would count against the messages. */
  function isSuspended(): boolean {
    const outage = storage.outage()
    if (outage && outage !== suspendedBy) void outage.over.then(messages.notify)
    suspendedBy = outage
    return outage !== undefined
  }

  /** Whether a copy of a message outlives its deletion, to be received once more. */
  function comesBack(entry: MessageEntry): boolean {
    const returnMs = entry.receives === 1 && entry.state === 'inFlight' ? disorder?.returnMs() : undefined
    if (returnMs === undefined) return false
    messages.hideUntil(entry, now() + returnMs)
    return true
  }

  /** The message of a handle, unless it was received again since. */
  function entryOf(handle: string): MessageEntry | undefined {
    const [own, receives] = handle.split('-').map(Number)
    const entry = messages.get(own ?? -1)
    return entry && entry.receives === receives && entry.state !== 'leaving' ? entry : undefined
  }

  const queue: Queue = {
    definition,
    get counts() {
      const { visible, arriving, inFlight, leaving, delayed } = messages.counts
      return { visible, inFlight: arriving + inFlight + leaving, delayed }
    },
    prepare,
    notify: messages.notify,
    send,
    take(max, visibilityMs = definition.visibilityMs) {
      if (isSuspended()) return []
      const received: ReceivedMessage[] = []
      const givenUp: MessageEntry[] = []
      while (received.length < max) {
        const taken = messages.take(max - received.length)
        if (taken.length === 0) break
        for (const entry of taken) {
          if (isExpired(entry) || isReceivedTooOften(entry)) {
            messages.startRemoval(entry)
            givenUp.push(entry)
          } else {
            received.push(receive(entry, visibilityMs))
          }
        }
      }
      // If the commit fails, the next start gives the message up again.
      if (givenUp.length > 0) afterOutages(storage, () => giveUp(givenUp)).catch(() => {})
      return received
    },
    async delete(handles) {
      const held = handles.map(entryOf)
      const deleted = [...new Set(held)].filter((entry) => entry !== undefined && !comesBack(entry)) as MessageEntry[]
      deleted.forEach(messages.remove)
      const ops = deleted.flatMap(({ sequence: own }) => store.removeOps(own))
      // Their consumer is done with them, so they must not come back after a restart.
      const durable = afterOutages(storage, () => storage.commit(ops))
      if (messages.counts.visible > 0) messages.notify()
      await durable
      return held.map((entry) => entry !== undefined)
    },
    async changeVisibility(handle, ms) {
      const entry = entryOf(handle)
      if (entry?.state !== 'inFlight') return false
      if (ms > 0) {
        messages.hideUntil(entry, now() + ms)
        await store.saveReceives(entry.sequence, entry.receives)
      } else {
        messages.show(entry)
      }
      return true
    },
    async release({ handle }, ms, counts = true) {
      const entry = entryOf(handle)
      if (!entry) return
      const released = queue.changeVisibility(handle, Math.min(ms, entry.visibleAt - now()))
      if (!counts) entry.receives--
      await released
    },
    onArrival: messages.onArrival,
    async purge() {
      const all = messages.all()
      all.forEach(messages.remove)
      await storage.commit(all.flatMap(({ sequence: own }) => store.removeOps(own)))
    },
    close: messages.close,
  }

  for await (const stored of store.all()) {
    sequence = Math.max(sequence, stored.sequence)
    leftOver.add(stored.sequence)
    messages.add(stored.sequence, stored.head, stored.receives)
  }
  return queue
}

const digestOf = (body: string): string => createHash('sha256').update(body).digest('hex')

/**
 * One durable SQS queue. A message is in the store before its sender gets an answer and until its consumer deleted it;
 * memory holds only its place in line, the body is read back when it is received.
 * After a crash everything unfinished is visible again (at least once), with the receive count of its last failure.
 */
import { createHash, randomUUID } from 'node:crypto'
import { openDeduplication } from './deduplication.ts'
import type { SentMessage } from './deduplication.ts'
import { DueTimes } from './due-times.ts'
import { openMessageStore } from './message-store.ts'
import type { MessageAttribute, MessageHead } from './message-store.ts'
import { fifoOrder, standardOrder } from './queue-order.ts'
import type { Op, Storage } from './storage.ts'

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
}

export interface ReceivedMessage extends SentMessage {
  readonly handle: string
  /** Until then nobody else receives it (ms since the epoch). */
  readonly hiddenUntil: number
  readonly receives: number
  readonly body: string
  readonly attributes: Readonly<Record<string, MessageAttribute>>
  readonly system: Readonly<Record<string, string>>
}

export interface Queue {
  readonly definition: QueueDefinition
  readonly counts: { readonly visible: number; readonly inFlight: number; readonly delayed: number }
  /** Resolves once all are durable. */
  send(messages: readonly OutgoingMessage[]): Promise<SentMessage[]>
  take(max: number, visibilityMs?: number): ReceivedMessage[]
  /** False for a handle whose message was received again since. */
  delete(handles: readonly string[]): Promise<boolean[]>
  /** 0 gives the message back at once. False when it is no longer in flight under this handle. */
  changeVisibility(handle: string, ms: number): Promise<boolean>
  /** The consumer failed: the message comes back after so long, unless its visibility was set otherwise since it was taken. */
  release(message: ReceivedMessage, ms: number): Promise<void>
  /** Calls back whenever messages may be visible; the answer stops that. */
  onArrival(listener: () => void): () => void
  purge(): Promise<void>
  close(): void
  /** For a queue that gives a message up to this one: what to commit, and what to do once it is durable. */
  prepare(head: MessageHead, body: string): Admission
  /** Calls the listeners. */
  announce(): void
}

interface Admission {
  readonly op: Op
  readonly sent: SentMessage
  admit(): void
}

/** `leaving`: on the way to the dead letter queue. */
type State = 'delayed' | 'visible' | 'inFlight' | 'leaving'

/** A message's place in line. */
interface Entry {
  readonly sequence: number
  readonly group: string | undefined
  readonly sentAt: number
  state: State
  gone: boolean
  visibleAt: number
  receives: number
  firstReceivedAt: number
}

/** Clocks may be moved by tests: a waiting message is looked at again after at most this long. */
const longestSleepMs = 1_000

export async function openQueue(
  storage: Storage,
  definition: QueueDefinition,
  now: () => number,
  deadLetterQueue: () => Queue | undefined,
): Promise<Queue> {
  const store = openMessageStore(storage, definition.name)
  const deduplication = await openDeduplication(storage, definition.name, now)
  const entries = new Map<number, Entry>()
  const order = definition.fifo ? fifoOrder<Entry>() : standardOrder<Entry>()
  const waiting = new DueTimes<Entry>()
  const counts: Record<State, number> = { delayed: 0, visible: 0, inFlight: 0, leaving: 0 }
  const listeners = new Set<() => void>()
  let timer: NodeJS.Timeout | undefined
  let closed = false
  // Rising across restarts without a counter in the store.
  let sequence = now() * 1000

  function announce(): void {
    for (const listener of [...listeners]) listener()
  }

  function move(entry: Entry, state: State): void {
    counts[entry.state]--
    counts[state]++
    entry.state = state
  }

  function enter(sequenceGiven: number, head: MessageHead, receives: number): Entry {
    const { sentAt, visibleAt = sentAt, group } = head
    const state = visibleAt > now() ? 'delayed' : 'visible'
    const entry = { sequence: sequenceGiven, group, sentAt, state, gone: false, visibleAt, receives, firstReceivedAt: 0 } satisfies Entry
    entries.set(entry.sequence, entry)
    counts[state]++
    if (state === 'visible') order.add(entry)
    else wakeFor(entry)
    return entry
  }

  /** Takes the message out of every line; its group may go on. */
  function forget(entry: Entry): void {
    const wasTaken = entry.state === 'inFlight' || entry.state === 'leaving'
    counts[entry.state]--
    entry.gone = true
    entries.delete(entry.sequence)
    if (wasTaken) order.settle(entry)
  }

  function show(entry: Entry): void {
    const failed = entry.state === 'inFlight'
    move(entry, 'visible')
    order.add(entry)
    if (!failed) return
    order.settle(entry)
    // Not kept means one more attempt after a crash.
    store.saveReceives(entry.sequence, entry.receives).catch(() => {})
  }

  function wakeFor(entry: Entry): void {
    const earliest = waiting.next
    waiting.add(entry.visibleAt, entry)
    if (earliest === undefined || entry.visibleAt < earliest) sleepUntilDue()
  }

  function sleepUntilDue(): void {
    clearTimeout(timer)
    if (closed || waiting.next === undefined) return
    timer = setTimeout(() => (showDue(), sleepUntilDue()), Math.min(Math.max(waiting.next - now(), 0), longestSleepMs))
    timer.unref()
  }

  /** Makes visible what waited long enough: delayed messages, and those whose consumer kept silent. */
  function showDue(): void {
    let shown = 0
    for (let due = waiting.takeDue(now()); due; due = waiting.takeDue(now())) {
      const { at, thing: entry } = due
      const isStale = entry.gone || entry.visibleAt !== at || entry.state === 'visible' || entry.state === 'leaving'
      if (isStale) continue
      show(entry)
      shown++
    }
    if (shown > 0) announce()
  }

  function prepare(head: MessageHead, body: string): Admission {
    const own = ++sequence
    return { op: store.putOp(own, head, body), sent: { messageId: head.id, sequence: own }, admit: () => enter(own, head, 0) }
  }

  async function send(messages: readonly OutgoingMessage[]): Promise<SentMessage[]> {
    const ops: Op[] = definition.fifo ? deduplication.forgetOld() : []
    const admissions: Admission[] = []
    const { promise: durable, resolve, reject } = Promise.withResolvers<void>()
    const allDurable: Promise<unknown>[] = [durable]
    const sent = messages.map((message) => {
      const deduplicationId = definition.fifo ? (message.deduplicationId ?? digestOf(message.body)) : undefined
      const duplicate = deduplicationId === undefined ? undefined : deduplication.find(deduplicationId)
      if (duplicate) {
        allDurable.push(duplicate.durable)
        return duplicate.sent
      }
      const admission = prepare(headOf(message, deduplicationId), message.body)
      admissions.push(admission)
      ops.push(admission.op)
      if (deduplicationId !== undefined) ops.push(deduplication.claim(deduplicationId, admission.sent, durable))
      return admission.sent
    })
    storage.commit(ops).then(resolve, reject)
    await Promise.all(allDurable)
    for (const admission of admissions) admission.admit()
    if (admissions.length > 0) announce()
    return sent
  }

  function headOf({ group, attributes, delayMs = definition.delayMs }: OutgoingMessage, deduplicationId: string | undefined): MessageHead {
    const sentAt = now()
    return { id: randomUUID(), sentAt, visibleAt: delayMs > 0 ? sentAt + delayMs : undefined, group, deduplicationId, attributes }
  }

  function receive(entry: Entry, visibilityMs: number): ReceivedMessage {
    const { head, body } = store.read(entry.sequence)
    entry.receives++
    entry.firstReceivedAt ||= now()
    entry.visibleAt = now() + visibilityMs
    move(entry, 'inFlight')
    wakeFor(entry)
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

  const isExpired = (entry: Entry): boolean => entry.sentAt + definition.retentionMs < now()
  const isSpent = (entry: Entry): boolean => definition.redrive !== undefined && entry.receives >= definition.redrive.maxReceiveCount

  /** Moves messages to the dead letter queue, or out of the world when they are past retention, in one commit. */
  async function giveUp(given: readonly Entry[]): Promise<void> {
    const target = deadLetterQueue()
    const admissions: Admission[] = []
    const ops = given.flatMap((entry) => {
      if (isExpired(entry) || !target) return store.removeOps(entry.sequence)
      const { head, body } = store.read(entry.sequence)
      const admission = target.prepare({ ...head, visibleAt: undefined, deadLetterSource: definition.arn }, body)
      admissions.push(admission)
      return [...store.removeOps(entry.sequence), admission.op]
    })
    await storage.commit(ops)
    for (const admission of admissions) admission.admit()
    given.forEach(forget)
    announce()
    target?.announce()
  }

  /** The message of a handle, while nobody has received it since. */
  function heldBy(handle: string): Entry | undefined {
    const [own, receives] = handle.split('-').map(Number)
    const entry = entries.get(own ?? -1)
    return entry && entry.receives === receives && entry.state !== 'leaving' ? entry : undefined
  }

  const queue: Queue = {
    definition,
    get counts() {
      return { visible: counts.visible, inFlight: counts.inFlight + counts.leaving, delayed: counts.delayed }
    },
    prepare,
    announce,
    send,
    take(max, visibilityMs = definition.visibilityMs) {
      showDue()
      const received: ReceivedMessage[] = []
      const givenUp: Entry[] = []
      while (received.length < max) {
        const taken = order.take(max - received.length)
        if (taken.length === 0) break
        for (const entry of taken) {
          if (isExpired(entry) || isSpent(entry)) {
            move(entry, 'leaving')
            givenUp.push(entry)
          } else {
            received.push(receive(entry, visibilityMs))
          }
        }
      }
      // Not moved means not gone: the message is given up again after the next start.
      if (givenUp.length > 0) giveUp(givenUp).catch(() => {})
      return received
    },
    async delete(handles) {
      const held = handles.map(heldBy)
      const deleted = [...new Set(held)].filter((entry) => entry !== undefined)
      deleted.forEach(forget)
      const durable = storage.commit(deleted.flatMap(({ sequence: own }) => store.removeOps(own)))
      if (counts.visible > 0) announce()
      await durable
      return held.map((entry) => entry !== undefined)
    },
    async changeVisibility(handle, ms) {
      const entry = heldBy(handle)
      if (entry?.state !== 'inFlight') return false
      entry.visibleAt = now() + ms
      if (ms <= 0) {
        show(entry)
        announce()
        return true
      }
      wakeFor(entry)
      await store.saveReceives(entry.sequence, entry.receives)
      return true
    },
    async release({ handle, hiddenUntil }, ms) {
      if (heldBy(handle)?.visibleAt !== hiddenUntil) return
      await queue.changeVisibility(handle, Math.min(ms, hiddenUntil - now()))
    },
    onArrival(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async purge() {
      const all = [...entries.values()]
      all.forEach(forget)
      await storage.commit(all.flatMap(({ sequence: own }) => store.removeOps(own)))
    },
    close() {
      closed = true
      clearTimeout(timer)
      listeners.clear()
    },
  }

  for await (const stored of store.all()) {
    sequence = Math.max(sequence, stored.sequence)
    enter(stored.sequence, stored.head, stored.receives)
  }
  return queue
}

/** The 20 digits AWS gives the messages of a FIFO queue. */
export const sequenceNumber = (sequence: number): string => String(sequence).padStart(20, '0')

function systemAttributes({ fifo }: QueueDefinition, entry: Entry, head: MessageHead): Record<string, string> {
  const known: Record<string, string | undefined> = {
    SenderId: 'local',
    SentTimestamp: String(head.sentAt),
    ApproximateReceiveCount: String(entry.receives),
    ApproximateFirstReceiveTimestamp: String(entry.firstReceivedAt),
    SequenceNumber: fifo ? sequenceNumber(entry.sequence) : undefined,
    MessageGroupId: head.group,
    MessageDeduplicationId: head.deduplicationId,
    DeadLetterQueueSourceArn: head.deadLetterSource,
  }
  return Object.fromEntries(Object.entries(known).filter((entry): entry is [string, string] => entry[1] !== undefined))
}

const digestOf = (body: string): string => createHash('sha256').update(body).digest('hex')

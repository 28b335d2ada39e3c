/**
 * One durable SQS queue. A message is in the store before its sender gets an answer and until its consumer deleted it;
 * memory holds only its place in line, the body is read back when it is received.
 * After a crash everything unfinished is visible again (at least once), with the receive count of its last failure.
 */
import { createHash, randomUUID } from 'node:crypto'
import { DueTimes } from './due-times.ts'
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

export interface MessageAttribute {
  readonly DataType: string
  readonly StringValue?: string
  readonly BinaryValue?: string
}

export interface SentMessage {
  readonly messageId: string
  readonly sequence: number
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

export interface QueueCounts {
  readonly visible: number
  readonly inFlight: number
  readonly delayed: number
}

export interface Queue {
  readonly definition: QueueDefinition
  readonly counts: QueueCounts
  /** Resolves once all are durable. */
  send(messages: readonly OutgoingMessage[]): Promise<SentMessage[]>
  take(max: number, visibilityMs?: number): ReceivedMessage[]
  /** False for a handle whose message was received again since. */
  delete(handles: readonly string[]): Promise<boolean[]>
  /** 0 gives the message back at once. False when it is no longer in flight under this handle. */
  changeVisibility(handle: string, ms: number): Promise<boolean>
  /** The consumer failed: the message comes back after so long, unless its visibility was set otherwise since it was taken. */
  release(message: ReceivedMessage, ms: number): Promise<void>
  /** Calls back whenever messages became visible; the answer stops that. */
  onArrival(listener: () => void): () => void
  purge(): Promise<void>
  close(): void
}

/** What the store holds of a message, beside its body. */
interface Head {
  readonly id: string
  readonly sentAt: number
  readonly visibleAt?: number
  readonly group?: string
  readonly deduplicationId?: string
  readonly attributes?: Readonly<Record<string, MessageAttribute>>
  readonly deadLetterSource?: string
}

type State = 'delayed' | 'visible' | 'inFlight' | 'leaving'

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

interface Admission {
  readonly ops: Op[]
  readonly sent: SentMessage
  admit(): void
}

/** A queue that takes over what another one gave up. */
interface DeadLetterQueue extends Queue {
  prepare(head: Head, body: string): Admission
}

const deduplicationMs = 5 * 60_000
/** Clocks may be moved by tests: a waiting message is looked at again after at most this long. */
const longestSleepMs = 1_000

export async function openQueue(
  storage: Storage,
  definition: QueueDefinition,
  now: () => number,
  deadLetterQueue: () => Queue | undefined,
): Promise<Queue> {
  const prefix = `sqs/${definition.name}/`
  const messageKey = (sequence: number): string => `${prefix}m/${String(sequence).padStart(16, '0')}`
  const receivesKey = (sequence: number): string => `${prefix}r/${String(sequence).padStart(16, '0')}`
  const deduplicationKey = (id: string): string => `${prefix}d/${id}`

  const entries = new Map<number, Entry>()
  const order = definition.fifo ? fifoOrder<Entry>() : standardOrder<Entry>()
  const waiting = new DueTimes<Entry>()
  const counts = { delayed: 0, visible: 0, inFlight: 0, leaving: 0 }
  const sentBefore = new Map<string, { at: number; sent: SentMessage; durable?: Promise<unknown> }>()
  const listeners = new Set<() => void>()
  let timer: NodeJS.Timeout | undefined
  let closed = false
  // Rising across restarts without a stored counter.
  let sequence = now() * 1000

  function move(entry: Entry, state: State): void {
    counts[entry.state]--
    counts[state]++
    entry.state = state
  }

  function forget(entry: Entry): void {
    counts[entry.state]--
    entry.gone = true
    entries.delete(entry.sequence)
  }

  function enter(entry: Entry): void {
    entries.set(entry.sequence, entry)
    counts[entry.state]++
    if (entry.state === 'visible') order.add(entry)
    else waitFor(entry)
  }

  function waitFor(entry: Entry): void {
    waiting.add(entry.visibleAt, entry)
    wakeLater()
  }

  function wakeLater(): void {
    if (closed || waiting.next === undefined) return
    clearTimeout(timer)
    timer = setTimeout(() => (showDue(), wakeLater()), Math.min(Math.max(waiting.next - now(), 0), longestSleepMs))
    timer.unref()
  }

  /** Makes visible what waited long enough: delayed messages, and those whose consumer kept silent. */
  function showDue(): void {
    let shown = 0
    for (let due = waiting.takeDue(now()); due; due = waiting.takeDue(now())) {
      const entry = due.thing
      if (entry.gone || entry.visibleAt !== due.at || entry.state === 'visible' || entry.state === 'leaving') continue
      show(entry)
      shown++
    }
    if (shown > 0) announce()
  }

  function show(entry: Entry): void {
    const failed = entry.state === 'inFlight'
    move(entry, 'visible')
    order.add(entry)
    if (failed) order.settle(entry)
    // Not remembered means one more attempt after a crash.
    if (failed) rememberReceives(entry).catch(() => {})
  }

  function announce(): void {
    for (const listener of [...listeners]) listener()
  }

  function rememberReceives(entry: Entry): Promise<void> {
    return storage.commit([{ type: 'put', key: receivesKey(entry.sequence), value: String(entry.receives) }])
  }

  function removal(entry: Entry): Op[] {
    return [
      { type: 'del', key: messageKey(entry.sequence) },
      { type: 'del', key: receivesKey(entry.sequence) },
    ]
  }

  function prepare(head: Head, body: string): Admission {
    const entry: Entry = {
      sequence: ++sequence,
      group: head.group,
      sentAt: head.sentAt,
      state: head.visibleAt === undefined ? 'visible' : 'delayed',
      gone: false,
      visibleAt: head.visibleAt ?? head.sentAt,
      receives: 0,
      firstReceivedAt: 0,
    }
    return {
      ops: [{ type: 'put', key: messageKey(entry.sequence), value: `${JSON.stringify(head)}\n${body}` }],
      sent: { messageId: head.id, sequence: entry.sequence },
      admit: () => enter(entry),
    }
  }

  function headOf(message: OutgoingMessage, deduplicationId: string | undefined): Head {
    const delayMs = message.delayMs ?? definition.delayMs
    const at = now()
    return {
      id: randomUUID(),
      sentAt: at,
      visibleAt: delayMs > 0 ? at + delayMs : undefined,
      group: message.group,
      deduplicationId,
      attributes: message.attributes,
    }
  }

  function forgetOldDuplicates(ops: Op[]): void {
    for (const [id, { at }] of sentBefore) {
      if (at > now() - deduplicationMs) return
      sentBefore.delete(id)
      ops.push({ type: 'del', key: deduplicationKey(id) })
    }
  }

  async function send(messages: readonly OutgoingMessage[]): Promise<SentMessage[]> {
    const ops: Op[] = []
    const admissions: Admission[] = []
    const earlier: Promise<unknown>[] = []
    const fresh: string[] = []
    if (definition.fifo) forgetOldDuplicates(ops)
    const sent = messages.map((message) => {
      const deduplicationId = definition.fifo ? (message.deduplicationId ?? digestOf(message.body)) : undefined
      const duplicate = deduplicationId === undefined ? undefined : sentBefore.get(deduplicationId)
      if (duplicate) {
        if (duplicate.durable) earlier.push(duplicate.durable)
        return duplicate.sent
      }
      const admission = prepare(headOf(message, deduplicationId), message.body)
      ops.push(...admission.ops)
      admissions.push(admission)
      if (deduplicationId !== undefined) {
        sentBefore.set(deduplicationId, { at: now(), sent: admission.sent })
        fresh.push(deduplicationId)
        ops.push({ type: 'put', key: deduplicationKey(deduplicationId), value: JSON.stringify({ at: now(), sent: admission.sent }) })
      }
      return admission.sent
    })
    const durable = storage.commit(ops)
    for (const id of fresh) sentBefore.get(id)!.durable = durable
    try {
      await durable
    } catch (error) {
      for (const id of fresh) sentBefore.delete(id)
      throw error
    }
    for (const id of fresh) delete sentBefore.get(id)?.durable
    for (const admission of admissions) admission.admit()
    if (admissions.length > 0) announce()
    await Promise.all(earlier)
    return sent
  }

  function receive(entry: Entry, visibilityMs: number): ReceivedMessage {
    const { head, body } = parseMessage(storage.get(messageKey(entry.sequence))!)
    entry.receives++
    entry.firstReceivedAt ||= now()
    entry.visibleAt = now() + visibilityMs
    move(entry, 'inFlight')
    waitFor(entry)
    const system: Record<string, string> = {
      SenderId: 'local',
      SentTimestamp: String(head.sentAt),
      ApproximateReceiveCount: String(entry.receives),
      ApproximateFirstReceiveTimestamp: String(entry.firstReceivedAt),
    }
    if (definition.fifo) system['SequenceNumber'] = sequenceNumber(entry.sequence)
    if (head.group !== undefined) system['MessageGroupId'] = head.group
    if (head.deduplicationId !== undefined) system['MessageDeduplicationId'] = head.deduplicationId
    if (head.deadLetterSource !== undefined) system['DeadLetterQueueSourceArn'] = head.deadLetterSource
    return {
      messageId: head.id,
      sequence: entry.sequence,
      handle: `${entry.sequence}-${entry.receives}`,
      hiddenUntil: entry.visibleAt,
      receives: entry.receives,
      body,
      attributes: head.attributes ?? {},
      system,
    }
  }

  /** Moves messages to the dead letter queue, or out of the world when they are past retention, in one commit. */
  async function giveUp(given: readonly Entry[]): Promise<void> {
    const target = deadLetterQueue() as DeadLetterQueue | undefined
    const admissions: Admission[] = []
    const ops = given.flatMap((entry) => {
      if (isExpired(entry) || !target) return removal(entry)
      const { head, body } = parseMessage(storage.get(messageKey(entry.sequence))!)
      const admission = target.prepare({ ...head, visibleAt: undefined, deadLetterSource: definition.arn }, body)
      admissions.push(admission)
      return [...removal(entry), ...admission.ops]
    })
    await storage.commit(ops)
    for (const admission of admissions) admission.admit()
    for (const entry of given) {
      forget(entry)
      order.settle(entry)
    }
    if (given.length > 0) announce()
  }

  const isExpired = (entry: Entry): boolean => entry.sentAt + definition.retentionMs < now()
  const isSpent = (entry: Entry): boolean => definition.redrive !== undefined && entry.receives >= definition.redrive.maxReceiveCount

  function inFlight(handle: string): Entry | undefined {
    const entry = heldBy(handle)
    return entry?.state === 'inFlight' ? entry : undefined
  }

  /** The message of a handle, while nobody else has received it since. */
  function heldBy(handle: string): Entry | undefined {
    const [sequence, receives] = handle.split('-').map(Number)
    const entry = entries.get(sequence ?? -1)
    return entry && entry.receives === receives && entry.state !== 'leaving' ? entry : undefined
  }

  const queue: DeadLetterQueue = {
    definition,
    get counts() {
      return { visible: counts.visible, inFlight: counts.inFlight + counts.leaving, delayed: counts.delayed }
    },
    prepare,
    send,
    take(max, visibilityMs = definition.visibilityMs) {
      showDue()
      const received: ReceivedMessage[] = []
      const givenUp: Entry[] = []
      while (received.length < max) {
        const taken = order.take(max - received.length)
        if (taken.length === 0) break
        for (const entry of taken) {
          if (!isExpired(entry) && !isSpent(entry)) {
            received.push(receive(entry, visibilityMs))
            continue
          }
          move(entry, 'leaving')
          givenUp.push(entry)
        }
      }
      // Not moved means not gone: the message is given up again when the queue is opened next.
      if (givenUp.length > 0) giveUp(givenUp).catch(() => {})
      return received
    },
    async delete(handles) {
      const held = handles.map(heldBy)
      const deleted = held.filter((entry) => entry !== undefined)
      for (const entry of deleted) {
        const wasTaken = entry.state === 'inFlight'
        forget(entry)
        if (wasTaken) order.settle(entry)
      }
      const durable = storage.commit(deleted.flatMap(removal))
      if (counts.visible > 0) announce()
      await durable
      return held.map((entry) => entry !== undefined)
    },
    async changeVisibility(handle, ms) {
      const entry = inFlight(handle)
      if (!entry) return false
      entry.visibleAt = now() + ms
      if (ms > 0) {
        waitFor(entry)
        await rememberReceives(entry)
      } else {
        show(entry)
        announce()
      }
      return true
    },
    async release(message, ms) {
      const entry = inFlight(message.handle)
      if (!entry || entry.visibleAt !== message.hiddenUntil) return
      await queue.changeVisibility(message.handle, Math.min(ms, entry.visibleAt - now()))
    },
    onArrival(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async purge() {
      const all = [...entries.values()]
      for (const entry of all) {
        const wasTaken = entry.state === 'inFlight'
        forget(entry)
        if (wasTaken) order.settle(entry)
      }
      await storage.commit(all.flatMap(removal))
    },
    close() {
      closed = true
      clearTimeout(timer)
      listeners.clear()
    },
  }

  await recover()
  return queue

  /** Takes up what the last run left. */
  async function recover(): Promise<void> {
    const expired: Op[] = []
    for await (const [key, value] of scan(storage, `${prefix}m/`)) {
      const stored = Number(key.slice(prefix.length + 2))
      const { head } = parseMessage(value)
      const delayed = head.visibleAt !== undefined && head.visibleAt > now()
      const entry: Entry = {
        sequence: stored,
        group: head.group,
        sentAt: head.sentAt,
        state: delayed ? 'delayed' : 'visible',
        gone: false,
        visibleAt: head.visibleAt ?? head.sentAt,
        receives: 0,
        firstReceivedAt: 0,
      }
      sequence = Math.max(sequence, stored)
      if (isExpired(entry)) expired.push(...removal(entry))
      else enter(entry)
    }
    for await (const [key, value] of scan(storage, `${prefix}r/`)) {
      const entry = entries.get(Number(key.slice(prefix.length + 2)))
      if (entry) entry.receives = Number(value)
    }
    const remembered: [string, { at: number; sent: SentMessage }][] = []
    for await (const [key, value] of scan(storage, `${prefix}d/`)) remembered.push([key.slice(prefix.length + 2), JSON.parse(value)])
    for (const [id, duplicate] of remembered.toSorted(([, a], [, b]) => a.at - b.at)) sentBefore.set(id, duplicate)
    await storage.commit(expired)
  }
}

/** The 20 digits AWS gives the messages of a FIFO queue. */
export const sequenceNumber = (sequence: number): string => String(sequence).padStart(20, '0')

const digestOf = (body: string): string => createHash('sha256').update(body).digest('hex')

function parseMessage(value: string): { head: Head; body: string } {
  const end = value.indexOf('\n')
  return { head: JSON.parse(value.slice(0, end)) as Head, body: value.slice(end + 1) }
}

/** All entries under a prefix, a page at a time. */
async function* scan(storage: Storage, prefix: string): AsyncGenerator<[string, string]> {
  for (let after = prefix; ; ) {
    const page = await storage.range({ gt: after, lt: `${prefix}\uffff`, limit: 1000 })
    yield* page
    if (page.length < 1000) return
    after = page.at(-1)![0]
  }
}

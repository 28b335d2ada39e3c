/** The visibility of a queue's messages: delayed, visible or in flight, and until when. Kept in memory. */
import { DueTimes } from '../runtime/timing/due-times.ts'
import type { Timeline } from '../runtime/timing/timeline.ts'
import type { MessageHead } from './message-store.ts'
import type { MessageOrder } from './queue-order.ts'

/** The state of one message. */
export interface MessageEntry {
  readonly sequence: number
  readonly group: string | undefined
  readonly sentAt: number
  state: State
  deleted: boolean
  visibleAt: number
  receives: number
  firstReceivedAt: number
}

/**
 * `arriving`: sent, but not yet where consumers look. `leaving`: being moved to the dead-letter queue, or deleted after its
 * retention period.
 */
type State = 'delayed' | 'arriving' | 'visible' | 'inFlight' | 'leaving'

export interface MessageVisibility {
  readonly counts: Readonly<Record<State, number>>
  get(sequence: number): MessageEntry | undefined
  all(): MessageEntry[]
  /** Adds a durable message: delayed, or visible, after `arrivalMs` on the way. */
  add(sequence: number, head: MessageHead, receives: number, arrivalMs?: number): void
  /** Takes visible messages, in order. Each must then be hidden, or removed. */
  take(max: number): MessageEntry[]
  /** Puts a message in flight. If it is still there at `visibleAt`, the consumer has failed. */
  hideUntil(entry: MessageEntry, visibleAt: number): void
  startRemoval(entry: MessageEntry): void
  /** Makes an in-flight message visible again. */
  show(entry: MessageEntry): void
  /** Removes a message, which unblocks its group. */
  remove(entry: MessageEntry): void
  onArrival(listener: () => void): () => void
  /** Calls the listeners: messages may be visible. */
  notify(): void
  close(): void
}

export interface MessageVisibilityOptions {
  readonly order: MessageOrder<MessageEntry>
  readonly timeline: Timeline
  /** Called when an in-flight message became visible again. */
  readonly onFailedReceive: (entry: MessageEntry) => void
}

/** So many due times of messages that are gone are kept, besides as many as there are messages. */
const maxStaleTimes = 1_000

export function openMessageVisibility({
  order,
  timeline,
  onFailedReceive,
}: MessageVisibilityOptions): MessageVisibility {
  const { now } = timeline
  const entries = new Map<number, MessageEntry>()
  const waiting = new DueTimes<MessageEntry>()
  const counts: Record<State, number> = { delayed: 0, arriving: 0, visible: 0, inFlight: 0, leaving: 0 }
  const listeners = new Set<() => void>()
  let cancel = (): void => {}
  let closed = false

  function notify(): void {
    for (const listener of listeners) listener()
  }

  function move(entry: MessageEntry, state: State): void {
    counts[entry.state]--
    counts[state]++
    entry.state = state
  }

  function show(entry: MessageEntry): void {
    const failed = entry.state === 'inFlight'
    move(entry, 'visible')
    order.add(entry)
    if (!failed) return
    order.release(entry)
    onFailedReceive(entry)
  }

  function wakeFor(entry: MessageEntry): void {
    const earliest = waiting.next
    // Most messages are deleted long before their visibility timeout, which would otherwise keep them in memory.
    if (waiting.size > 2 * entries.size + maxStaleTimes) waiting.keep(isWaiting)
    waiting.add(entry.visibleAt, entry)
    if (earliest === undefined || entry.visibleAt < earliest) sleepUntilDue()
  }

  function sleepUntilDue(): void {
    cancel()
    if (closed || waiting.next === undefined) return
    cancel = timeline.at(waiting.next, () => (showDue(), sleepUntilDue()))
  }

  /** Makes messages visible whose delay or visibility timeout is over. */
  function showDue(): void {
    let shown = 0
    for (let due = waiting.takeDue(now()); due; due = waiting.takeDue(now())) {
      const { at, value: entry } = due
      if (!isWaiting(at, entry)) continue
      show(entry)
      shown++
    }
    if (shown > 0) notify()
  }

  return {
    counts,
    get: (sequence) => entries.get(sequence),
    all: () => [...entries.values()],
    add(sequence, { sentAt, visibleAt: wantedAt = sentAt, group }, receives, arrivalMs = 0) {
      const isDelayed = wantedAt > now()
      const state: State = isDelayed ? 'delayed' : arrivalMs > 0 ? 'arriving' : 'visible'
      const visibleAt = state === 'arriving' ? now() + arrivalMs : wantedAt
      const entry: MessageEntry = {
        sequence,
        group,
        sentAt,
        state,
        deleted: false,
        visibleAt,
        receives,
        firstReceivedAt: 0,
      }
      entries.set(sequence, entry)
      counts[state]++
      if (state === 'visible') order.add(entry)
      else wakeFor(entry)
    },
    take(max) {
      showDue()
      return order.take(max)
    },
    hideUntil(entry, visibleAt) {
      entry.visibleAt = visibleAt
      move(entry, 'inFlight')
      wakeFor(entry)
    },
    startRemoval: (entry) => move(entry, 'leaving'),
    show(entry) {
      show(entry)
      notify()
    },
    remove(entry) {
      const wasTaken = entry.state === 'inFlight' || entry.state === 'leaving'
      counts[entry.state]--
      entry.deleted = true
      entries.delete(entry.sequence)
      if (wasTaken) order.release(entry)
    },
    onArrival(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    notify,
    close() {
      closed = true
      cancel()
      listeners.clear()
    },
  }
}

/** Whether a message still becomes visible at this time. */
function isWaiting(at: number, entry: MessageEntry): boolean {
  return !entry.deleted && entry.visibleAt === at && entry.state !== 'visible' && entry.state !== 'leaving'
}

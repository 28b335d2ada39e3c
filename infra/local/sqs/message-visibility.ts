/** The visibility of a queue's messages: delayed, visible or in flight, and until when. Kept in memory. */
import { DueTimes } from './due-times.ts'
import type { MessageHead } from './message-store.ts'
import { fifoOrder, standardOrder } from './queue-order.ts'

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

/** `leaving`: being moved to the dead-letter queue, or deleted after its retention period. */
type State = 'delayed' | 'visible' | 'inFlight' | 'leaving'

export interface MessageVisibility {
  readonly counts: Readonly<Record<State, number>>
  get(sequence: number): MessageEntry | undefined
  all(): MessageEntry[]
  /** Adds a durable message: visible, or delayed. */
  add(sequence: number, head: MessageHead, receives: number): void
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
  readonly fifo: boolean
  readonly now: () => number
  /** Called when an in-flight message became visible again. */
  readonly onFailedReceive: (entry: MessageEntry) => void
}

/** The longest timer. Tests move the clock, so due times are checked at least this often. */
const longestSleepMs = 1_000
/** So many due times of messages that are gone are kept, besides as many as there are messages. */
const mostStaleTimes = 1_000

export function openMessageVisibility({ fifo, now, onFailedReceive }: MessageVisibilityOptions): MessageVisibility {
  const entries = new Map<number, MessageEntry>()
  const order = fifo ? fifoOrder<MessageEntry>() : standardOrder<MessageEntry>()
  const waiting = new DueTimes<MessageEntry>()
  const counts: Record<State, number> = { delayed: 0, visible: 0, inFlight: 0, leaving: 0 }
  const listeners = new Set<() => void>()
  let timer: NodeJS.Timeout | undefined
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
    if (waiting.size > 2 * entries.size + mostStaleTimes) waiting.keep(isWaiting)
    waiting.add(entry.visibleAt, entry)
    if (earliest === undefined || entry.visibleAt < earliest) sleepUntilDue()
  }

  function sleepUntilDue(): void {
    clearTimeout(timer)
    if (closed || waiting.next === undefined) return
    timer = setTimeout(() => (showDue(), sleepUntilDue()), Math.min(Math.max(waiting.next - now(), 0), longestSleepMs))
    timer.unref()
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
    add(sequence, { sentAt, visibleAt = sentAt, group }, receives) {
      const state: State = visibleAt > now() ? 'delayed' : 'visible'
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
      clearTimeout(timer)
      listeners.clear()
    },
  }
}

/** Whether a message still becomes visible at this time. */
function isWaiting(at: number, entry: MessageEntry): boolean {
  return !entry.deleted && entry.visibleAt === at && (entry.state === 'delayed' || entry.state === 'inFlight')
}

/** At most `count` messages in any time of this length. */
interface Limit {
  readonly count: number
  readonly windowMs: number
}

/** How fast the receivers of a message may be sent to. Beyond it they refuse, and some then pause the sender. */
export interface Pace {
  /** As how many messages this one is sent, `spacingMs` apart. */
  readonly parts: number
  /** The least time between two messages to one recipient. */
  readonly spacingMs: number
  /** Limits of all that a channel sends, and of what one recipient gets. */
  readonly channel: Limit
  readonly recipient: Limit
}

/** What was sent lately, or has been let through. Times are Unix milliseconds. */
export interface Sent {
  readonly atMs: readonly number[]
  /** When the last message that was told to wait returns. */
  readonly returnsAtMs: number
}

/** The same for one recipient, with the deliveries that wait: the oldest goes first. */
export interface SentToRecipient extends Sent {
  readonly waiting: readonly { readonly id: number; readonly untilMs: number }[]
}

export const nothingSent: SentToRecipient = { atMs: [], returnsAtMs: 0, waiting: [] }

/** More deliveries may wait for a recipient, but only so many are kept in order. */
const maxWaiting = 100
/** Deliveries that wait return a little slower than they could be sent, so that few come too early. */
const slack = 1.1
/** A delivery that has not returned by then was cancelled or lost, and holds up nobody. */
const lateMs = 15_000

/** Whether a delivery may be sent now, with what to store; `recipient` and `channel` are undefined when unchanged. */
export interface Turn {
  readonly waitUntilMs: number | null
  readonly channel?: Sent
  readonly recipient: SentToRecipient
}

/**
 * Asks for the turn of a delivery: all of its parts, or a time at which to ask again. Deliveries to one recipient get
 * their turns in the order of their ids, as far as they ask in time.
 */
export function takeTurn(channel: Sent, recipient: SentToRecipient, pace: Pace, id: number, nowMs: number): Turn {
  const { parts, spacingMs } = pace
  const times = Array.from({ length: parts }, (_, part) => nowMs + part * spacingMs)
  const others = recipient.waiting.filter((one) => one.id !== id && one.untilMs + lateMs > nowMs)
  const ahead = others.filter((one) => one.id < id).length
  const last = Math.max(-Infinity, ...recipient.atMs)
  const recipientFreeAtMs = Math.max(last + spacingMs, freeAt(recipient.atMs, pace.recipient, times, nowMs))
  if (ahead === 0 && recipientFreeAtMs <= nowMs) {
    if (freeAt(channel.atMs, pace.channel, times, nowMs) <= nowMs)
      return {
        waitUntilMs: null,
        channel: { ...channel, atMs: added(channel.atMs, pace.channel, times, nowMs) },
        recipient: { ...recipient, atMs: added(recipient.atMs, pace.recipient, times, nowMs), waiting: others },
      }
    // Those that wait for the channel return one after the other, as fast as it may send.
    const { count, windowMs } = pace.channel
    const waitUntilMs = Math.max(channel.returnsAtMs, nowMs + windowMs) + slack * (windowMs / count) * parts
    return {
      waitUntilMs,
      channel: { ...channel, returnsAtMs: waitUntilMs },
      recipient: { ...recipient, waiting: withWaiting(others, id, waitUntilMs) },
    }
  }
  const isKept = others.length < maxWaiting
  const waitUntilMs = isKept
    ? Math.max(recipientFreeAtMs, nowMs) + ahead * slack * spacingMs
    : Math.max(recipient.returnsAtMs, nowMs) + slack * spacingMs
  return {
    waitUntilMs,
    recipient: {
      ...recipient,
      returnsAtMs: Math.max(recipient.returnsAtMs, waitUntilMs),
      waiting: isKept ? withWaiting(others, id, waitUntilMs) : others,
    },
  }
}

const withWaiting = (others: SentToRecipient['waiting'], id: number, untilMs: number): SentToRecipient['waiting'] => [
  ...others,
  { id, untilMs },
]

/** The earliest time at which `times`, moved there, keep the limit. */
function freeAt(sent: readonly number[], { count, windowMs }: Limit, times: readonly number[], nowMs: number): number {
  const [first = nowMs, last = nowMs] = [times[0], times.at(-1)]
  // Any window with one of `times` lies between these bounds.
  const near = sent.filter((at) => at > first - windowMs && at < last + windowMs).toSorted((a, b) => a - b)
  const excess = near.length + Math.min(times.length, count) - count
  return excess <= 0 ? nowMs : (near[excess - 1] as number) + windowMs
}

const added = (sent: readonly number[], { windowMs }: Limit, times: readonly number[], nowMs: number): number[] => [
  ...sent.filter((at) => at > nowMs - windowMs),
  ...times,
]

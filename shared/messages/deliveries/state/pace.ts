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

/** When messages were sent lately, or will be. Times are Unix milliseconds. */
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

/** An attempt sleeps until its turn when that is so near; otherwise the delivery is put off. */
const nearMs = 1000
/** More deliveries may wait for a recipient, but only so many are kept in order. */
const maxWaiting = 100
/** Deliveries that wait return a little slower than they could be sent, so that few come too early. */
const slack = 1.1
/** A delivery that has not returned by then was cancelled or lost, and holds up nobody. */
const lateMs = 15_000

/** When a delivery is sent, or when it asks again; with what to store (`channel` is left out when unchanged). */
export type Turn = { readonly channel?: Sent; readonly recipient: SentToRecipient } & (
  | { readonly sendAtMs: number }
  | { readonly waitUntilMs: number }
)

/**
 * Asks for the turn of a delivery: all of its parts. Deliveries to one recipient get their turns in the order of their
 * ids, as far as they ask in time.
 */
export function takeTurn(channel: Sent, recipient: SentToRecipient, pace: Pace, id: number, nowMs: number): Turn {
  const { parts, spacingMs } = pace
  const others = recipient.waiting.filter((one) => one.id !== id && one.untilMs + lateMs > nowMs)
  const ahead = others.filter((one) => one.id < id).length
  const ofRecipient = [
    { sent: recipient.atMs, limit: pace.recipient },
    { sent: recipient.atMs, limit: { count: 1, windowMs: spacingMs } },
  ]
  const recipientFreeAtMs = earliest(nowMs, pace, ofRecipient)
  if (ahead > 0 || recipientFreeAtMs > nowMs + nearMs) {
    const isKept = others.length < maxWaiting
    // It sleeps until its turn, so it may return a little early.
    const waitUntilMs = isKept
      ? Math.max(recipientFreeAtMs - nearMs / 2, nowMs + nearMs / 2) + ahead * slack * spacingMs
      : Math.max(recipient.returnsAtMs, nowMs) + slack * spacingMs
    const returnsAtMs = Math.max(recipient.returnsAtMs, waitUntilMs)
    const waiting = isKept ? [...others, { id, untilMs: waitUntilMs }] : others
    return { waitUntilMs, recipient: { ...recipient, returnsAtMs, waiting } }
  }
  const ofBoth = [...ofRecipient, { sent: channel.atMs, limit: pace.channel }]
  const sendAtMs = earliest(recipientFreeAtMs, pace, ofBoth)
  if (sendAtMs > nowMs + nearMs) {
    // Those that wait for the channel return one after the other, as fast as it may send.
    const { count, windowMs } = pace.channel
    const waitUntilMs = Math.max(channel.returnsAtMs, nowMs + nearMs) + slack * (windowMs / count) * parts
    return {
      waitUntilMs,
      channel: { ...channel, returnsAtMs: waitUntilMs },
      recipient: { ...recipient, waiting: [...others, { id, untilMs: waitUntilMs }] },
    }
  }
  const times = Array.from({ length: parts }, (_, part) => sendAtMs + part * spacingMs)
  const maxMs = Math.max(pace.recipient.windowMs, spacingMs)
  return {
    sendAtMs,
    channel: { ...channel, atMs: [...after(channel.atMs, nowMs - pace.channel.windowMs), ...times] },
    recipient: { ...recipient, atMs: [...after(recipient.atMs, nowMs - maxMs), ...times], waiting: others },
  }
}

const after = (times: readonly number[], ms: number): number[] => times.filter((at) => at > ms)

/** The first time from `fromMs` at which all parts keep the limits. */
function earliest(
  fromMs: number,
  { parts, spacingMs }: Pick<Pace, 'parts' | 'spacingMs'>,
  limits: readonly { readonly sent: readonly number[]; readonly limit: Limit }[],
): number {
  let startMs = fromMs
  for (;;) {
    let nextMs = startMs
    for (const { sent, limit } of limits) {
      const { count, windowMs } = limit
      for (let part = 0; part < parts; part++) {
        const offset = part * spacingMs
        const at = startMs + offset
        // Every window with this part lies between these bounds.
        const near = sent.filter((one) => one > at - windowMs && one < at + windowMs).toSorted((a, b) => a - b)
        const own = Math.min(count, parts, 1 + 2 * Math.ceil(windowMs / spacingMs - 1))
        const excess = near.length + own - count
        if (excess > 0) nextMs = Math.max(nextMs, (near[excess - 1] as number) + windowMs - offset)
      }
    }
    if (nextMs === startMs) return startMs
    startMs = nextMs
  }
}

/** So many attempts of a channel with a narrow lane are in flight at the same time. */
const narrowWidth = 8
/** An attempt that took longer does not show that the receiver is fast. */
const fastMs = 2000
/** How long a fast attempt keeps the lane wide, and how early before its end another one renews that. */
const wideMs = 10_000
const renewMs = 5000
/** An attempt that has not ended by then was lost. */
const leaseMs = 60_000
/** How long a delivery waits for a place: a moment, or longer when those in flight are slow. */
const shortWaitMs = 1000
const longWaitMs = 10_000

/**
 * How many attempts of one channel may be in flight, so that a slow or dead receiver does not occupy the senders of all
 * others. A lane is narrow until an attempt was fast, and again after one was slow. Times are Unix
 * milliseconds.
 */
export interface Lane {
  /** When the lease of each attempt in flight ends; not kept while the lane is wide. */
  readonly inFlight: readonly number[]
  readonly wideUntilMs: number | null
}

export const narrowLane: Lane = { inFlight: [], wideUntilMs: null }

/** Lets an attempt in: without a place in a wide lane, with one in a narrow one, or not before a time. */
export function enterLane(
  lane: Lane,
  nowMs: number,
): 'free' | { readonly lane: Lane; readonly place: number } | { readonly waitUntilMs: number } {
  if (lane.wideUntilMs !== null && lane.wideUntilMs > nowMs) return 'free'
  const inFlight = lane.inFlight.filter((end) => end > nowMs)
  if (inFlight.length < narrowWidth) {
    const place = nowMs + leaseMs
    return { lane: { ...lane, inFlight: [...inFlight, place] }, place }
  }
  const oldestMs = nowMs - (Math.min(...inFlight) - leaseMs)
  return { waitUntilMs: nowMs + (oldestMs > fastMs ? longWaitMs : shortWaitMs) }
}

/** The lane without a place that is not needed any more. */
export const freePlace = (lane: Lane, place: number, nowMs: number): Lane => {
  const index = lane.inFlight.indexOf(place)
  return { ...lane, inFlight: lane.inFlight.filter((end, at) => at !== index && end > nowMs) }
}

/** The lane after an attempt ended; `place` as `enterLane` gave it. */
export const leaveLane = (lane: Lane, place: number | undefined, isFast: boolean, nowMs: number): Lane => ({
  ...(place === undefined ? lane : freePlace(lane, place, nowMs)),
  wideUntilMs: isFast ? nowMs + wideMs : null,
})

/** Whether an attempt that took so long shows that the receiver is fast, whatever it answered. */
export const isFastAttempt = (durationMs: number): boolean => durationMs <= fastMs

/** Whether a fast attempt should be stored, so that the lane stays wide. */
export const needsRenewal = ({ wideUntilMs }: Lane, nowMs: number): boolean =>
  wideUntilMs === null || wideUntilMs - nowMs < renewMs

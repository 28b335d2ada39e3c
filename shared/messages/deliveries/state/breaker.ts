/** Outcomes are counted in buckets of this length. */
const bucketMs = 30_000
const windowMs = 5 * 60_000
/** The breaker opens at so many attempts in the window when this share failed, or at so many failures in a row. */
const leastAttempts = 10
const failureShare = 0.7
const maxInARow = 5
/** The pause before the first probe; it doubles with each probe that fails. */
const firstPauseMs = 60_000
const maxPauseMs = 15 * 60_000
/** For how long a probe keeps others away. */
const probeMs = 60_000
/** A channel that only failed for so long is disabled. */
const givesUpAfterMs = 120 * 60 * 60_000
/** After so long without an attempt, the next failure begins anew: nothing shows that the receiver failed meanwhile. */
const maxGapMs = givesUpAfterMs / 2

interface Bucket {
  /** Its start. */
  readonly atMs: number
  readonly ok: number
  readonly failed: number
}

/** Stops sending through a channel whose receiver keeps failing. Times are Unix milliseconds. */
export interface Breaker {
  /** Of the last five minutes, oldest first. */
  readonly buckets: readonly Bucket[]
  readonly failuresInARow: number
  /** Since when every attempt has failed, without a long gap between two; null when the last one succeeded. */
  readonly failingSinceMs: number | null
  /** When the last failure was counted. Rows from before this was kept lack it. */
  readonly failedAtMs?: number
  /** Set while it is open: when the next probe may begin. */
  readonly probeAtMs: number | null
  readonly failedProbes: number
}

export const closedBreaker: Breaker = {
  buckets: [],
  failuresInARow: 0,
  failingSinceMs: null,
  probeAtMs: null,
  failedProbes: 0,
}

export const isOpen = ({ probeAtMs }: Breaker): boolean => probeAtMs !== null

/** Whether nothing failed lately. */
export const hasNoFailures = ({ buckets, failingSinceMs, probeAtMs }: Breaker): boolean =>
  failingSinceMs === null && probeAtMs === null && buckets.every(({ failed }) => failed === 0)

/** What an open breaker lets a delivery do: probe the receiver, or wait until a time. A closed one lets it be sent. */
export function ask(breaker: Breaker, nowMs: number): 'send' | 'probe' | { readonly waitUntilMs: number } {
  if (breaker.probeAtMs === null) return 'send'
  return breaker.probeAtMs <= nowMs ? 'probe' : { waitUntilMs: breaker.probeAtMs }
}

/** The breaker while a probe runs: another one may begin only when this one is lost. */
export const beginProbe = (breaker: Breaker, nowMs: number): Breaker => ({ ...breaker, probeAtMs: nowMs + probeMs })

/** The breaker after a probe that was not sent: another one may begin at once. */
export const giveUpProbe = (breaker: Breaker, nowMs: number): Breaker =>
  isOpen(breaker) ? { ...breaker, probeAtMs: nowMs } : breaker

/** Counts attempts that succeeded. One success closes an open breaker. */
export function countSuccesses(breaker: Breaker, count: number, nowMs: number): Breaker {
  if (count === 0) return breaker
  const buckets = isOpen(breaker) ? [] : counted(breaker.buckets, { ok: count, failed: 0 }, nowMs)
  return { buckets, failuresInARow: 0, failingSinceMs: null, probeAtMs: null, failedProbes: 0 }
}

/** Counts a failure; opens the breaker when there are too many. A probe that fails doubles the pause. */
export function countFailure(breaker: Breaker, nowMs: number, isProbe = false): Breaker {
  if (isOpen(breaker) && !isProbe) return breaker
  const failing: Breaker = {
    ...breaker,
    buckets: counted(breaker.buckets, { ok: 0, failed: 1 }, nowMs),
    failuresInARow: breaker.failuresInARow + 1,
    failingSinceMs: hasFailedUntil(breaker, nowMs) ? breaker.failingSinceMs : nowMs,
    failedAtMs: nowMs,
  }
  if (isOpen(breaker)) {
    const failedProbes = breaker.failedProbes + 1
    return { ...failing, failedProbes, probeAtMs: nowMs + Math.min(maxPauseMs, firstPauseMs * 2 ** failedProbes) }
  }
  const ok = failing.buckets.reduce((sum, bucket) => sum + bucket.ok, 0)
  const failed = failing.buckets.reduce((sum, bucket) => sum + bucket.failed, 0)
  const opens =
    failing.failuresInARow >= maxInARow || (ok + failed >= leastAttempts && failed >= failureShare * (ok + failed))
  return opens ? { ...failing, probeAtMs: nowMs + firstPauseMs } : failing
}

const hasFailedUntil = ({ failingSinceMs, failedAtMs }: Breaker, nowMs: number): boolean =>
  failingSinceMs !== null && nowMs - (failedAtMs ?? failingSinceMs) <= maxGapMs

/** Whether the channel has failed for so long that it is disabled. */
export const givesUp = ({ failingSinceMs }: Breaker, nowMs: number): boolean =>
  failingSinceMs !== null && nowMs - failingSinceMs >= givesUpAfterMs

function counted(
  buckets: readonly Bucket[],
  { ok, failed }: Pick<Bucket, 'ok' | 'failed'>,
  nowMs: number,
): readonly Bucket[] {
  const atMs = nowMs - (nowMs % bucketMs)
  const kept = buckets.filter((bucket) => bucket.atMs > nowMs - windowMs)
  const last = kept.at(-1)
  return last?.atMs === atMs
    ? [...kept.slice(0, -1), { atMs, ok: last.ok + ok, failed: last.failed + failed }]
    : [...kept, { atMs, ok, failed }]
}

/** How many calls run at once: as many as the storage has threads. */
const callsAtOnce = 4
/** What earlier calls of an invocation count for at most, so that long work waits, but not for long. */
const maxCountedMs = 100

interface Waiting {
  readonly invocation: object
  readonly sinceMs: number
  readonly start: () => void
}

/** Runs a call of an invocation when it is its turn. */
export type FairCalls = <T>(invocation: object, call: () => Promise<T>) => Promise<T>

/**
 * Lets invocations share the embedded database. When more calls wait than run at once, the next one is that of the
 * invocation whose calls took the least time so far: a request of three short reads does not wait for an export that
 * has asked for a thousand. What a call waits counts for it, so nothing waits for ever.
 */
export function fairCalls(nowMs: () => number = () => performance.now()): FairCalls {
  const usedMs = new WeakMap<object, number>()
  const waiting: Waiting[] = []
  let running = 0

  function takeNext(): Waiting | undefined {
    const now = nowMs()
    let next = -1
    let least = Infinity
    for (const [index, { invocation, sinceMs }] of waiting.entries()) {
      const rank = Math.min(usedMs.get(invocation) ?? 0, maxCountedMs) - (now - sinceMs)
      if (rank >= least) continue
      least = rank
      next = index
    }
    return next === -1 ? undefined : waiting.splice(next, 1)[0]
  }

  return async (invocation, call) => {
    if (running < callsAtOnce) running += 1
    else await new Promise<void>((start) => waiting.push({ invocation, sinceMs: nowMs(), start }))
    const fromMs = nowMs()
    try {
      return await call()
    } finally {
      usedMs.set(invocation, (usedMs.get(invocation) ?? 0) + nowMs() - fromMs)
      // The next call takes this one's place.
      const next = takeNext()
      if (next) next.start()
      else running -= 1
    }
  }
}

/** Requests of a caller that run at once while others are active too. */
const turnsAtOnce = 2
/** After so long it is looked whether a request keeps the loop busy. One that waits for something passes its turn on. */
const turnMs = 50
/** A request passes its turn on after so long at the latest. */
const maxTurnMs = 1_000
/** From this share of the time on the loop counts as busy. */
const busyShare = 0.8
/** A caller counts as active for so long after its last request. */
const activeMs = 1_000
/** Looking for callers who are idle now takes a while where there are thousands. */
const sweepMs = 100

export interface FairTurns {
  /** Runs a request of a caller at once, or when it is the caller's turn. */
  take(caller: string, run: () => Promise<void>): void
}

interface Caller {
  /** The requests that have the turn. */
  running: number
  readonly waiting: (() => Promise<void>)[]
  lastAtMs: number
}

/**
 * Lets callers share the event loop, which runs all functions here: on AWS, each instance serves one request. While
 * several callers are active, each has one turn, so a request waits for one request of every other caller, not for all
 * that a flood has sent. A caller who is alone is not held back.
 */
export function fairTurns(nowMs: () => number = () => performance.now()): FairTurns {
  const callers = new Map<string, Caller>()
  let sweptAtMs = 0

  function forgetIdle(now: number): void {
    if (now - sweptAtMs < sweepMs) return
    sweptAtMs = now
    for (const [name, { running, waiting, lastAtMs }] of callers)
      if (running === 0 && waiting.length === 0 && now - lastAtMs > activeMs) callers.delete(name)
  }

  function start(caller: Caller, run: () => Promise<void>): void {
    caller.running += 1
    const sinceMs = nowMs()
    let since = performance.eventLoopUtilization()
    let hasTurn = true
    const giveUp = (): void => {
      if (!hasTurn) return
      hasTurn = false
      clearTimeout(timer)
      caller.running -= 1
      caller.lastAtMs = nowMs()
      passOn(caller)
    }
    const look = (): void => {
      const { utilization } = performance.eventLoopUtilization(since)
      if (utilization < busyShare || nowMs() - sinceMs >= maxTurnMs) return giveUp()
      since = performance.eventLoopUtilization()
      timer = setTimeout(look, turnMs)
    }
    let timer = setTimeout(look, turnMs)
    void run().finally(giveUp)
  }

  function passOn(caller: Caller): void {
    forgetIdle(nowMs())
    while (caller.waiting.length > 0 && (callers.size === 1 || caller.running < turnsAtOnce))
      start(caller, caller.waiting.shift() as () => Promise<void>)
  }

  return {
    take(name, run) {
      const now = nowMs()
      forgetIdle(now)
      const caller = callers.get(name) ?? { running: 0, waiting: [], lastAtMs: now }
      callers.set(name, caller)
      caller.lastAtMs = now
      if (callers.size > 1 && caller.running >= turnsAtOnce) caller.waiting.push(run)
      else start(caller, run)
    },
  }
}

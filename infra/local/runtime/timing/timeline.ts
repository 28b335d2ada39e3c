import { DueTimes } from './due-times.ts'

/** The time of a local cloud and what waits for it: real time, plus what it was moved ahead. */
export interface Timeline {
  /** ms since the epoch */
  now(): number
  /** How far the time was moved ahead so far. */
  readonly movedMs: number
  /** The earliest time that something waits for. */
  readonly next: number | undefined
  /** Calls back once, at `timeMs` or soon after. Returns a function that cancels. */
  at(timeMs: number, action: () => void): () => void
  /** Resolves after `ms`; rejects with the signal's reason, or when the timeline is closed. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** Moves the time ahead and calls back what is due by then. A time in the past changes nothing. */
  moveTo(timeMs: number): void
  /** Ends all waits. */
  close(): void
}

interface Wait {
  readonly run: () => void
  readonly end: () => void
  cancelled: boolean
}

/** The longest timer: tests move the clock below, so due times are checked at least this often. */
const maxSleepMs = 1_000
/** So many cancelled waits are kept, besides as many as there are others. */
const maxCancelled = 1_000

export function openTimeline(clock: () => number = Date.now): Timeline {
  const waits = new DueTimes<Wait>()
  let cancelled = 0
  let movedMs = 0
  let timer: NodeJS.Timeout | undefined
  let closed = false

  const now = (): number => clock() + movedMs

  function next(): number | undefined {
    for (let first = waits.first; first?.value.cancelled; first = waits.first) {
      waits.takeDue(first.at)
      cancelled--
    }
    return waits.next
  }

  function arm(): void {
    clearTimeout(timer)
    const due = closed ? undefined : next()
    if (due === undefined) return
    timer = setTimeout(runDue, Math.min(Math.max(due - now(), 0), maxSleepMs)).unref()
  }

  function runDue(): void {
    for (let due = waits.takeDue(now()); due; due = waits.takeDue(now())) {
      if (due.value.cancelled) cancelled--
      else due.value.run()
    }
    arm()
  }

  function add(timeMs: number, run: () => void, end: () => void): () => void {
    const wait: Wait = { run: () => ((done = true), run()), end, cancelled: false }
    let done = closed
    if (closed) end()
    else {
      const isFirst = timeMs < (next() ?? Infinity)
      waits.add(timeMs, wait)
      if (isFirst) arm()
    }
    return () => {
      if (done || wait.cancelled) return
      wait.cancelled = true
      cancelled++
      if (cancelled <= waits.size / 2 + maxCancelled) return
      waits.keep((_, { cancelled: gone }) => !gone)
      cancelled = 0
    }
  }

  return {
    now,
    get movedMs() {
      return movedMs
    },
    get next() {
      return next()
    },
    at: (timeMs, action) => add(timeMs, action, () => {}),
    sleep(ms, signal) {
      if (signal?.aborted) return Promise.reject(signal.reason)
      return new Promise((resolve, reject) => {
        const abort = (): void => {
          cancel()
          reject(signal!.reason)
        }
        const settle = (finish: () => void) => () => {
          signal?.removeEventListener('abort', abort)
          finish()
        }
        signal?.addEventListener('abort', abort, { once: true })
        const cancel = add(
          now() + ms,
          settle(resolve),
          settle(() => reject(new Error('The local cloud is stopped.'))),
        )
      })
    },
    moveTo(timeMs) {
      // Whole milliseconds, as all times are.
      movedMs += Math.max(0, Math.ceil(timeMs - now()))
      runDue()
    },
    close() {
      closed = true
      clearTimeout(timer)
      for (let due = waits.takeDue(Infinity); due; due = waits.takeDue(Infinity)) {
        if (!due.value.cancelled) due.value.end()
      }
    },
  }
}

import { setTimeout as sleep } from 'node:timers/promises'
import type { Timeline } from './timeline.ts'

export interface Activity {
  readonly timeline: Timeline
  /** Number of invocations in flight. */
  running(): number
  /** The names of what has unfinished work. */
  busy(): string[]
}

const pollMs = 2
/** So many polls without an invocation mean that none is about to begin. */
const stillPolls = 2
const invocationsEndWithinMs = 60_000

/**
 * Resolves when nothing has unfinished work. With `jumps`, the time moves to what is due next whenever no invocation is in
 * flight. Rejects with the names of what is busy after `timeoutMs` of real time.
 */
export async function untilIdle(activity: Activity, timeoutMs: number, jumps: boolean): Promise<void> {
  const end = performance.now() + timeoutMs
  let still = 0
  for (let parts = activity.busy(); parts.length > 0; parts = activity.busy()) {
    if (performance.now() > end) throw new Error(`Still busy after ${timeoutMs} ms: ${parts.join(', ')}`)
    still = activity.running() === 0 ? still + 1 : 0
    const { timeline } = activity
    if (jumps && still >= stillPolls && timeline.next !== undefined) {
      timeline.moveTo(timeline.next)
      still = 0
    }
    await sleep(pollMs)
  }
}

/** Lets `ms` pass at once: what falls due meanwhile happens in its order, each when the invocations before it have ended. */
export async function advance(activity: Activity, ms: number): Promise<void> {
  const { timeline } = activity
  const target = timeline.now() + ms
  await untilStill(activity)
  for (let next = timeline.next; next !== undefined && next <= target; next = timeline.next) {
    timeline.moveTo(next)
    await untilStill(activity)
  }
  timeline.moveTo(target)
  await untilStill(activity)
}

async function untilStill({ running }: Activity): Promise<void> {
  const end = performance.now() + invocationsEndWithinMs
  for (let still = 0; still < stillPolls; still = running() === 0 ? still + 1 : 0) {
    if (performance.now() > end) throw new Error(`Invocations are still in flight after ${invocationsEndWithinMs} ms.`)
    await sleep(pollMs)
  }
}

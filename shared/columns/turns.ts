/** How long one evaluation may keep the event loop before others get a turn. */
const sliceMs = 3

const waiting: (() => void)[] = []
let isScheduled = false

/** One evaluation continues per turn of the event loop, in the order in which they gave way. */
function schedule(): void {
  if (isScheduled) return
  isScheduled = true
  setImmediate(() => {
    isScheduled = false
    waiting.shift()?.()
    if (waiting.length > 0) schedule()
  })
}

const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    waiting.push(resolve)
    schedule()
  })

/** Tells a long evaluation when to give way: await what it answers, unless that is undefined. */
export function createTurns(): () => Promise<void> | undefined {
  // Whoever begins while others wait takes its place behind them.
  let sliceBegan = waiting.length > 0 ? -Infinity : performance.now()
  return () => {
    if (performance.now() - sliceBegan < sliceMs) return undefined
    return nextTurn().then(() => {
      sliceBegan = performance.now()
    })
  }
}

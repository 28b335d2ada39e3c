import { giveWay } from '../kernel/give-way.ts'

/** How long one evaluation may keep the event loop before others get a turn. */
const sliceMs = 3

/** Tells a long evaluation when to give way: await what it answers, unless that is undefined. */
export function createTurns(): () => Promise<void> | undefined {
  let sliceBegan = performance.now()
  return () => {
    if (performance.now() - sliceBegan < sliceMs) return undefined
    return giveWay().then(() => {
      sliceBegan = performance.now()
    })
  }
}

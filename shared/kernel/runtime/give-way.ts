import { setImmediate as nextTurn } from 'node:timers/promises'
import { processHost } from './process-host.ts'

/**
 * Lets other work in the process continue: await it every few milliseconds of a long computation. Where all tenants share
 * a process, its host says whose turn is next.
 */
export const giveWay = (): Promise<void> => processHost()?.giveWay() ?? nextTurn()

/** How long a computation may keep the event loop before others get a turn. */
const sliceMs = 3

/** Tells a long computation when to give way: await what it answers, unless that is undefined. */
export function createTurns(): () => Promise<void> | undefined {
  let sliceBegan = performance.now()
  return () => {
    if (performance.now() - sliceBegan < sliceMs) return undefined
    return giveWay().then(() => {
      sliceBegan = performance.now()
    })
  }
}

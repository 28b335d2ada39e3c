import { setImmediate as nextTurn } from 'node:timers/promises'

/**
 * Lets other work in the process go on: await it every few milliseconds of a long computation. Embedded, where all
 * tenants share a process, the local cloud says whose turn is next.
 */
export function giveWay(): Promise<void> {
  const local = (globalThis as Record<symbol, { giveWay?(): Promise<void> } | undefined>)[Symbol.for('local-cloud')]
  return local?.giveWay?.() ?? nextTurn()
}

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

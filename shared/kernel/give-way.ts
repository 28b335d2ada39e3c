import { setImmediate as nextTurn } from 'node:timers/promises'

/**
 * Lets other work in the process go on: await it every few milliseconds of a long computation. Embedded, where all
 * tenants share a process, the local cloud says whose turn is next.
 */
export function giveWay(): Promise<void> {
  const local = (globalThis as Record<symbol, { giveWay?(): Promise<void> } | undefined>)[Symbol.for('local-cloud')]
  return local?.giveWay?.() ?? nextTurn()
}

import { record, type Run, type TokenAt } from './run.ts'

/** Ends something before its time, with everything that hangs on it. */
export function cancel(run: Run, id: string): void {
  const standing = run.standing.get(id)
  if (standing === undefined) return
  drop(run, id)
  if (standing.is !== 'watch' && standing.is !== 'alarm') record(run, standing.at, id, 'cancelled')
}

/** Takes something away with everything that hangs on it, without a word about itself. */
export function drop(run: Run, id: string): void {
  for (const each of run.standing.values()) if (hangsOn(each, id)) cancel(run, each.id)
  run.standing.delete(id)
  run.parked = run.parked.filter((token) => token.in !== id)
}

const hangsOn = (standing: TokenAt, id: string): boolean =>
  standing.in === id ||
  standing.loop === id ||
  standing.gate === id ||
  (standing.is === 'watch' && standing.host === id)

/** Ends everything that runs directly in a sub-process, or in the process ('') itself. */
export function clear(run: Run, scope: string): void {
  for (const each of run.standing.values()) if (each.in === scope) cancel(run, each.id)
  run.parked = run.parked.filter((token) => token.in !== scope)
  run.moves = run.moves.filter((move) => !('in' in move) || move.in !== scope)
}

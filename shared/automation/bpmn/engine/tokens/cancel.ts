import { recordEvent, type EngineRun, type Token } from './engine-run.ts'

/** Cancels a token and everything that depends on it. */
export function cancel(run: EngineRun, id: string): void {
  const token = run.tokens.get(id)
  if (token === undefined) return
  removeToken(run, id)
  if (isRecorded(token)) recordEvent(run, token.at, id, 'cancelled')
}

/** What has no activation of its own in the history. */
const unrecorded: ReadonlySet<Token['is']> = new Set(['watch', 'alarm', 'part', 'reset'])

const isRecorded = (token: Token): boolean =>
  !unrecorded.has(token.is) && !(token.is === 'compensation' && token.after === 'end')

/** Removes a token without recording it, and cancels everything that depends on it. */
export function removeToken(run: EngineRun, id: string): void {
  for (const each of run.tokens.values()) if (dependsOn(each, id)) cancel(run, each.id)
  run.tokens.delete(id)
  run.suspended = run.suspended.filter((token) => token.in !== id)
  forgetCompleted(run, id)
}

const dependsOn = (token: Token, id: string): boolean =>
  token.in === id ||
  token.loop === id ||
  token.gate === id ||
  token.compensation === id ||
  (token.is === 'watch' && token.host === id) ||
  (token.is === 'part' && token.of === id)

/** What was completed in an activity that is not completed itself, or is compensated as a whole, is not compensated. */
export function forgetCompleted(run: EngineRun, scope: string): void {
  const gone = run.completed.filter((one) => one.in === scope)
  if (gone.length === 0) return
  run.completed = run.completed.filter((one) => one.in !== scope)
  for (const { id } of gone) forgetCompleted(run, id)
}

/** Cancels everything that runs in a sub-process, or in the process itself (''). */
export function cancelScope(run: EngineRun, scope: string): void {
  for (const each of run.tokens.values()) if (each.in === scope) cancel(run, each.id)
  run.suspended = run.suspended.filter((token) => token.in !== scope)
  run.moves = run.moves.filter((move) => !('in' in move) || move.in !== scope)
}

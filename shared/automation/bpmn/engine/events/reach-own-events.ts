import { type EngineRun, nodeAt, recordEvent, type Token, type TokenPosition } from '../tokens/engine-run.ts'
import { occur } from './occur.ts'

type SignalToken = Extract<Token, { is: 'event' | 'watch' | 'alarm' | 'part' }>

/**
 * Passes a signal to the events of the process itself that wait for it while it is thrown: they may interrupt its thrower
 * (`isInterrupted`). Everything else gets it when the step is stored. `elementIds`: the events that were reached.
 */
export async function reachOwnEvents(
  run: EngineRun,
  name: string,
  variables: Readonly<Record<string, unknown>>,
  thrower: TokenPosition,
): Promise<{ readonly elementIds: readonly string[]; readonly isInterrupted: boolean }> {
  const around = scopesAround(run, thrower.in)
  const waiting = [...run.tokens.values()].filter(
    (token): token is SignalToken =>
      'on' in token && token.on === 'signal' && token.name === name && !isItsHandler(run, token, around),
  )
  const elementIds = new Set<string>()
  let isInterrupted = false
  for (const token of waiting) {
    // An event before it has interrupted what it belongs to.
    if (!run.tokens.has(token.id)) continue
    elementIds.add(token.at)
    if (!isInterrupted && interrupts(run, token, around)) {
      isInterrupted = true
      recordEvent(run, thrower.at, thrower.id, 'completed')
    }
    await occur(run, token, variables)
  }
  return { elementIds: [...elementIds], isInterrupted }
}

/** The ids of the tokens around a scope, itself first, and those of the loops that they are passes of. */
function scopesAround(run: EngineRun, scope: string): ReadonlySet<string> {
  const ids = new Set([''])
  for (let at = run.tokens.get(scope); at !== undefined; at = run.tokens.get(at.in)) {
    ids.add(at.id)
    if (at.loop !== undefined) ids.add(at.loop)
  }
  return ids
}

const mainOf = (run: EngineRun, token: SignalToken): Token | undefined =>
  token.is === 'part' ? run.tokens.get(token.of) : token

/** An event sub-process does not catch its own signals while it runs. */
function isItsHandler(run: EngineRun, token: SignalToken, around: ReadonlySet<string>): boolean {
  const main = mainOf(run, token)
  if (main?.is !== 'alarm') return false
  const bodyId = nodeAt(run, main.at).parentId
  return [...around].some((id) => run.tokens.get(id)?.at === bodyId)
}

/** Whether an event that occurs now cancels what is around its thrower. */
function interrupts(run: EngineRun, token: SignalToken, around: ReadonlySet<string>): boolean {
  const main = mainOf(run, token)
  if (main === undefined || !nodeAt(run, main.at).isInterrupting || !isLastPart(run, token, main)) return false
  return main.is === 'watch' ? around.has(main.host) : main.is === 'alarm' && around.has(main.in)
}

/** Of several triggers that all must occur, whether this is the last one. */
const isLastPart = (run: EngineRun, token: SignalToken, main: Token): boolean =>
  token.is !== 'part' ||
  !nodeAt(run, main.at).isParallel ||
  !run.tokens.values().some((each) => each.is === 'part' && each.of === main.id && each.id !== token.id)

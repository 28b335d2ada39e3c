import { startBoundaryEvents } from './boundary-events.ts'
import { countActivation, type EngineRun, type Move, nextId, nodeAt, recordEvent, type Token } from './engine-run.ts'
import { enter } from './enter.ts'
import { mapIn } from './map-variables.ts'
import { armEventSubProcesses } from './open-scope.ts'

/** The sub-process of an element that runs in a scope, not as a pass of a loop and not to be compensated. */
export const runningScopes = (run: EngineRun, elementId: string, scope: string): Token[] =>
  [...run.tokens.values()].filter(
    (each) =>
      each.is === 'scope' &&
      each.at === elementId &&
      each.in === scope &&
      each.loop === undefined &&
      each.compensation === undefined,
  )

/** Enters an element inside of sub-processes. One that does not run yet is opened without its start events. */
export async function enterInto(run: EngineRun, { path, in: scope, task }: Move & { do: 'into' }): Promise<void> {
  const [elementId, ...rest] = path
  if (elementId === undefined) return
  const node = nodeAt(run, elementId)
  if (rest.length === 0) return await enter(run, node, scope, undefined, task)
  let id = runningScopes(run, elementId, scope)[0]?.id
  if (id === undefined) {
    countActivation(run, node)
    id = nextId(run, node)
    recordEvent(run, node.id, id, 'entered')
    const position = { id, at: node.id, in: scope, ...(task && { task }) }
    await mapIn(run, node, position)
    run.tokens.set(id, { is: 'scope', ...position })
    await startBoundaryEvents(run, id)
    await armEventSubProcesses(run, node.id, id)
  }
  run.moves.unshift({ do: 'into', path: rest, in: id, ...(task && { task }) })
}

import type { Wait } from '../schema.ts'
import { nodeAt, type EngineRun } from './engine-run.ts'
import { loopPositionOf } from './variable-scopes.ts'

/** Everything a process waits for, oldest first. */
export function waitsOf(run: EngineRun): Wait[] {
  return [...run.tokens.values()].flatMap((each): Wait[] => {
    const position = { elementId: each.at, executionId: each.id }
    switch (each.is) {
      case 'task': {
        const loop = loopPositionOf(run, each)
        return [{ kind: 'task', ...position, ...(loop !== undefined && { loop }) }]
      }
      case 'timer':
      case 'alarm':
        return [{ kind: 'timer', ...position, dueAt: each.due }]
      case 'watch':
        return [{ kind: 'timer', ...position, dueAt: each.due, attachedTo: nodeAt(run, each.at).attachedTo?.id }]
      case 'work':
        return each.failed === undefined ? [] : [{ kind: 'failed', ...position, ...each.failed }]
      default:
        return []
    }
  })
}

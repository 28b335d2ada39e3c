import { nodeAt, turnOf, type Run } from './run.ts'
import type { Wait } from './schema.ts'

/** Everything a process waits for, in the order in which it began to. */
export function waitsOf(run: Run): Wait[] {
  return [...run.standing.values()].flatMap((each): Wait[] => {
    const place = { elementId: each.at, executionId: each.id }
    switch (each.is) {
      case 'task': {
        const loop = turnOf(run, each)
        return [{ kind: 'task', ...place, ...(loop !== undefined && { loop }) }]
      }
      case 'timer':
      case 'alarm':
        return [{ kind: 'timer', ...place, dueAt: each.due }]
      case 'watch':
        return [{ kind: 'timer', ...place, dueAt: each.due, attachedTo: nodeAt(run, each.at).attachedTo?.id }]
      case 'work':
        return each.failed === undefined ? [] : [{ kind: 'failed', ...place, ...each.failed }]
      default:
        return []
    }
  })
}

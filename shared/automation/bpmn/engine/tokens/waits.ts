import type { Wait } from '../../schema.ts'
import { type EngineRun, nodeAt, type Token } from './engine-run.ts'
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
      case 'event':
      case 'alarm':
      case 'watch':
      case 'part':
        return awaitedBy(run, each)
      case 'call': {
        const isPass = each.loop !== undefined && nodeAt(run, each.at).loop?.kind === 'multi'
        return [{ kind: 'call', ...position, ...(isPass && { isPass }) }]
      }
      case 'work':
        return each.failed === undefined ? [] : [{ kind: 'failed', ...position, ...each.failed }]
      default:
        return []
    }
  })
}

function awaitedBy(run: EngineRun, token: Token & { is: 'timer' | 'event' | 'alarm' | 'watch' | 'part' }): Wait[] {
  const main = token.is === 'part' ? run.tokens.get(token.of) : token
  const position = { elementId: token.at, executionId: token.id }
  const attached = main?.is === 'watch' ? { attachedTo: nodeAt(run, token.at).attachedTo?.id } : {}
  if ('due' in token) return [{ kind: 'timer', ...position, dueAt: token.due, ...attached }]
  if (token.on === 'several') return []
  return [
    {
      kind: 'event',
      ...position,
      on: token.on,
      ...('name' in token && { name: token.name }),
      ...('key' in token && { key: token.key }),
      ...('isMet' in token && { isMet: token.isMet }),
      ...attached,
    },
  ]
}

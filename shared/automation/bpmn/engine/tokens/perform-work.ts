import { BpmnError } from '../../schema.ts'
import { startBoundaryEvents } from './boundary-events.ts'
import { nodeAt, recordEvent, type EngineRun, type Token, type TokenPosition } from './engine-run.ts'
import { assign, scopeAt } from './variable-scopes.ts'

/** Performs the work of a task. A BpmnError is raised in the process; any other error leaves the token as failed. */
export async function performWork(run: EngineRun, id: string): Promise<'failed' | 'done'> {
  const work = run.tokens.get(id)
  if (work === undefined) return 'done'
  const node = nodeAt(run, work.at)
  try {
    const task = {
      elementId: node.id,
      executionId: id,
      type: node.type,
      ...scopeAt(run, work),
    }
    const result = await run.host.perform(task, (executionId) => run.tokens.has(executionId))
    assign(run, work, result?.variables)
    // It may have changed the record.
    run.areConditionsStale = true
    run.moves.unshift({ do: 'finish', id })
    return 'done'
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    if (error instanceof BpmnError) {
      run.moves.unshift({ do: 'raise', error: { code: error.code, message, elementId: node.id }, in: work.in, id })
      return 'done'
    }
    const code = (error as { code?: unknown } | null)?.code
    failWork(run, work, { message, ...(typeof code === 'string' && { code }) })
    return 'failed'
  }
}

/** Enters an activity that the service does by itself. Only failed work waits, so only that needs its boundary events. */
export async function doWork(run: EngineRun, position: TokenPosition): Promise<void> {
  run.tokens.set(position.id, { is: 'work', ...position })
  if ((await performWork(run, position.id)) === 'failed') await startBoundaryEvents(run, position.id)
}

/** Leaves the token of an activity as failed: it waits for a retry. */
export function failWork(
  run: EngineRun,
  token: Token,
  failed: { readonly message: string; readonly code?: string },
): void {
  run.tokens.set(token.id, { ...token, is: 'work', failed } as Token)
  recordEvent(run, token.at, token.id, 'failed')
}

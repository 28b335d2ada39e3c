import { BpmnError } from '../schema.ts'
import { nodeAt, recordEvent, loopPositionOf, variablesOf, type EngineRun, type Token } from './engine-run.ts'

/** Performs the work of a task. A BpmnError is raised in the process; any other error leaves the token as failed. */
export async function performWork(run: EngineRun, id: string): Promise<'failed' | 'done'> {
  const work = run.tokens.get(id)
  if (work === undefined) return 'done'
  const node = nodeAt(run, work.at)
  const loop = loopPositionOf(run, work)
  try {
    const task = {
      elementId: node.id,
      executionId: id,
      type: node.type,
      variables: variablesOf(run, work),
      ...(loop !== undefined && { loop }),
    }
    const result = await run.host.perform(task, (executionId) => run.tokens.has(executionId))
    run.variables = { ...run.variables, ...result?.variables }
    run.moves.unshift({ do: 'finish', id })
    return 'done'
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    if (error instanceof BpmnError) {
      run.moves.unshift({ do: 'raise', error: { code: error.code, message, elementId: node.id }, in: work.in, id })
      return 'done'
    }
    const code = (error as { code?: unknown } | null)?.code
    run.tokens.set(id, {
      ...work,
      is: 'work',
      failed: { message, ...(typeof code === 'string' && { code }) },
    } as Token)
    recordEvent(run, node.id, id, 'failed')
    return 'failed'
  }
}

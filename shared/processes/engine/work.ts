import { nodeAt, record, turnOf, variablesOf, type Run, type TokenAt } from './run.ts'
import { BpmnError } from './schema.ts'

/** Does the work of a task. What fails stays as an incident; an error in the sense of BPMN goes to whoever catches it. */
export async function perform(run: Run, id: string): Promise<'failed' | 'done'> {
  const work = run.standing.get(id)
  if (work === undefined) return 'done'
  const node = nodeAt(run, work.at)
  const loop = turnOf(run, work)
  try {
    const task = {
      elementId: node.id,
      executionId: id,
      type: node.type,
      variables: variablesOf(run, work),
      ...(loop !== undefined && { loop }),
    }
    const result = await run.host.perform(task, (executionId) => run.standing.has(executionId))
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
    run.standing.set(id, {
      ...work,
      is: 'work',
      failed: { message, ...(typeof code === 'string' && { code }) },
    } as TokenAt)
    record(run, node.id, id, 'failed')
    return 'failed'
  }
}

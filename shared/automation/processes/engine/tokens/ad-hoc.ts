import type { CompletedTask } from '../schema.ts'
import { cancelScope } from './cancel.ts'
import { type EngineRun, nodeAt, type Token } from './engine-run.ts'
import { evaluate } from './evaluate.ts'

/**
 * Whether what has just been completed in a scope is the last of its way: the ad-hoc sub-process around it is done, by
 * its completion condition.
 */
export async function endsAdHoc(run: EngineRun, scope: string, task: CompletedTask | undefined): Promise<boolean> {
  const around = run.tokens.get(scope)
  if (around?.is !== 'scope') return false
  const node = nodeAt(run, around.at)
  const { until, lastsUntilEnd = false } = node.adHoc ?? {}
  if (until === undefined) return false
  const isDone =
    around.isDone === true ||
    Boolean(await evaluate(run, node, until, 'completion condition', around, { ...(task && { task }) }))
  if (!isDone) return false
  const { queue: _, ...rest } = around
  run.tokens.set(scope, { ...rest, isDone: true, ...(task && { ended: task }) } as Token)
  if (!lastsUntilEnd) cancelScope(run, scope)
  return true
}

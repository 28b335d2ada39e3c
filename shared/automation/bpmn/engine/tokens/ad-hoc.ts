import type { CompletedTask, OpenAdHoc } from '../../schema.ts'
import { cancelScope } from './cancel.ts'
import { type EngineRun, nodeAt, type Token } from './engine-run.ts'
import { evaluate } from './evaluate.ts'
import { startsOf } from './open-scope.ts'

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

/** The running ad-hoc sub-processes in which more may begin. */
export function openAdHocs(run: EngineRun): OpenAdHoc[] {
  return [...run.tokens.values()]
    .filter((token) => isOpen(run, token))
    .map(({ id, at }) => ({
      elementId: at,
      executionId: id,
      activities: startsOf(run, at).map((node) => node.id),
    }))
}

const isOpen = (run: EngineRun, token: Token): boolean =>
  token.is === 'scope' &&
  token.isDone !== true &&
  token.compensation === undefined &&
  nodeAt(run, token.at).adHoc !== undefined

/** Begins an activity that no flow leads to; in a sequential one, when nothing runs in it any more. False: it may not begin. */
export function beginActivity(run: EngineRun, around: Token, elementId: string): boolean {
  if (!isOpen(run, around)) return false
  const node = startsOf(run, around.at).find(({ id }) => id === elementId)
  if (node === undefined) return false
  if (nodeAt(run, around.at).adHoc?.isSequential === true) {
    const queue = 'queue' in around ? (around.queue ?? []) : []
    run.tokens.set(around.id, { ...around, queue: [...queue, elementId] } as Token)
  } else run.moves.push({ do: 'enter', node, in: around.id })
  return true
}

/** Whether it lasts although nothing runs in it: until its condition holds. */
export const awaitsRequests = (run: EngineRun, token: Token): boolean =>
  isOpen(run, token) && nodeAt(run, token.at).adHoc?.isOnRequest === true

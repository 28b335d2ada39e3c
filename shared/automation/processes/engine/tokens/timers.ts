import type { FlowNode } from '../model/graph.ts'
import { looksLikeIso, nextTiming, timerNames, type Timing, timingOf } from '../model/timing.ts'
import { cancel, cancelScope } from './cancel.ts'
import {
  nextId,
  nodeAt,
  StepFailure,
  recordEvent,
  type EngineRun,
  type Token,
  type TokenPosition,
} from './engine-run.ts'
import { evaluate } from './evaluate.ts'
import { leave } from './leave.ts'
import { armEventSubProcesses } from './open-scope.ts'

/** Evaluates the timer of an event. @throws StepFailure when its value is not an ISO 8601 time of its kind. */
export async function evaluateTimer(
  run: EngineRun,
  node: FlowNode,
  around: TokenPosition | undefined,
): Promise<Timing> {
  const { trigger } = node
  if (trigger?.on !== 'timer') throw new StepFailure(node.id, `${node.label} has no timer.`)
  const text = trigger.value.trim()
  const value = looksLikeIso(text) ? text : await evaluate(run, node, text, 'timer', around)
  const iso = value instanceof Date ? value.toISOString() : String(value)
  const timing = timingOf(trigger.kind, iso.trim(), run.host.now())
  if (timing === undefined)
    throw new StepFailure(
      node.id,
      `The timer of ${node.label} is '${iso}', which is no ISO 8601 ${timerNames[trigger.kind]}.`,
    )
  return timing
}

/** Fires a timer boundary event. An interrupting one cancels its activity. */
export async function fireBoundaryTimer(run: EngineRun, timer: Token & { is: 'watch' }): Promise<void> {
  const node = nodeAt(run, timer.at)
  const task = run.tokens.get(timer.host)?.task
  run.tokens.delete(timer.id)
  recordEvent(run, node.id, timer.id, 'entered')
  if (node.isInterrupting) cancel(run, timer.host)
  else repeat(run, node, timer)
  recordEvent(run, node.id, timer.id, 'completed')
  await leave(run, node, timer.in, timer.id, task)
}

/** Fires a timer that starts an event sub-process. An interrupting one cancels everything else in the scope. */
export async function fireEventSubProcessTimer(run: EngineRun, timer: Token & { is: 'alarm' }): Promise<void> {
  const start = nodeAt(run, timer.at)
  run.tokens.delete(timer.id)
  if (!start.isInterrupting) repeat(run, start, timer)
  await startEventSubProcess(run, nodeAt(run, start.parentId), start, timer.in, timer.id)
}

function repeat(run: EngineRun, node: FlowNode, timer: Token & Timing): void {
  const timing = nextTiming(timer)
  if (timing === undefined) return
  const id = nextId(run, node)
  const { left: _left, every: _every, ...rest } = timer
  run.tokens.set(id, { ...rest, id, ...timing } as Token)
}

/** Starts an event sub-process in a scope. `startId`: the executionId of its start event. */
export async function startEventSubProcess(
  run: EngineRun,
  body: FlowNode,
  start: FlowNode,
  scope: string,
  startId: string,
): Promise<void> {
  if (start.isInterrupting) cancelScope(run, scope)
  const id = nextId(run, body)
  recordEvent(run, body.id, id, 'entered')
  run.tokens.set(id, { is: 'scope', id, at: body.id, in: scope })
  await armEventSubProcesses(run, body.id, id)
  recordEvent(run, start.id, startId, 'entered')
  recordEvent(run, start.id, startId, 'completed')
  await leave(run, start, id, startId)
}

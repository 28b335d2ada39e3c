import { cancel, clear } from './cancel.ts'
import { leave } from './leave.ts'
import { handlersOf, type FlowNode } from './model/graph.ts'
import { looksLikeIso, nextTiming, timerNames, timingOf } from './model/timing.ts'
import { evaluate, nextId, nodeAt, StepFailure, record, type Run, type TokenAt, type Timing } from './run.ts'

/** When the timer of an event is due, settled now. */
export async function setTimer(run: Run, node: FlowNode, around: TokenAt | undefined): Promise<Timing> {
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

/** Starts the timers on the border of an activity that has begun to wait. */
export async function watch(run: Run, host: TokenAt): Promise<void> {
  for (const event of nodeAt(run, host.at).boundary) {
    if (event.trigger?.on !== 'timer') continue
    const timing = await setTimer(run, event, host)
    const id = nextId(run, event)
    run.standing.set(id, { is: 'watch', id, at: event.id, in: host.in, host: host.id, ...timing })
  }
}

/** Starts the timers of the event sub-processes of a scope. */
export async function setAlarms(run: Run, parentId: string, scope: string): Promise<void> {
  for (const { start } of handlersOf(run.graph, parentId)) {
    if (start.trigger?.on !== 'timer') continue
    const timing = await setTimer(run, start, run.standing.get(scope))
    const id = nextId(run, start)
    run.standing.set(id, { is: 'alarm', id, at: start.id, in: scope, ...timing })
  }
}

/** A timer on a border fires: alongside its host, or instead of it. */
export async function fireWatch(run: Run, timer: TokenAt & { is: 'watch' }): Promise<void> {
  const node = nodeAt(run, timer.at)
  run.standing.delete(timer.id)
  record(run, node.id, timer.id, 'entered')
  if (node.isInterrupting) cancel(run, timer.host)
  else repeat(run, node, timer)
  record(run, node.id, timer.id, 'completed')
  await leave(run, node, timer.in, timer.id)
}

/** A timer starts its event sub-process: alongside what runs in the scope, or instead of it. */
export async function fireAlarm(run: Run, timer: TokenAt & { is: 'alarm' }): Promise<void> {
  const start = nodeAt(run, timer.at)
  run.standing.delete(timer.id)
  if (!start.isInterrupting) repeat(run, start, timer)
  await startHandler(run, nodeAt(run, start.parentId), start, timer.in, timer.id)
}

function repeat(run: Run, node: FlowNode, timer: TokenAt & Timing): void {
  const timing = nextTiming(timer)
  if (timing === undefined) return
  const id = nextId(run, node)
  const { left: _left, every: _every, ...place } = timer
  run.standing.set(id, { ...place, id, ...timing } as TokenAt)
}

/** Runs an event sub-process in a scope. `startId`: the executionId of its start event. */
export async function startHandler(
  run: Run,
  body: FlowNode,
  start: FlowNode,
  scope: string,
  startId: string,
): Promise<void> {
  if (start.isInterrupting) clear(run, scope)
  const id = nextId(run, body)
  record(run, body.id, id, 'entered')
  run.standing.set(id, { is: 'scope', id, at: body.id, in: scope })
  await setAlarms(run, body.id, id)
  record(run, start.id, startId, 'entered')
  record(run, start.id, startId, 'completed')
  await leave(run, start, id, startId)
}

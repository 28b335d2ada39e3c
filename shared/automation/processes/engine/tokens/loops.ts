import { maxLoopIterations } from '../../../../kernel/limits/processes.ts'
import type { FlowNode, Loop } from '../model/graph.ts'
import { cancel } from './cancel.ts'
import { evaluate, nodeAt, StepFailure, type EngineRun, type Token } from './engine-run.ts'

type LoopBody = Token & { is: 'loop' }
type MultiInstance = Loop & { kind: 'multi' }

/** Enters a loop or multi-instance activity; `beginIterations` starts its iterations. */
export async function openLoop(run: EngineRun, node: FlowNode, loop: Loop, id: string, scope: string): Promise<void> {
  const size = loop.kind === 'multi' ? await sizeOf(run, node, loop, scope) : {}
  run.tokens.set(id, { is: 'loop', id, at: node.id, in: scope, begun: 0, done: 0, ...size })
}

async function sizeOf(
  run: EngineRun,
  node: FlowNode,
  loop: MultiInstance,
  scope: string,
): Promise<{ total: number; items?: unknown[] }> {
  const around = run.tokens.get(scope)
  if (loop.collection !== undefined) {
    const items = (await evaluate(run, node, loop.collection, 'collection', around)) ?? []
    if (!Array.isArray(items)) throw new StepFailure(node.id, `The collection of ${node.label} is no list.`)
    return { total: checkedTotal(items.length, node), items }
  }
  const cardinality =
    loop.cardinality === undefined
      ? undefined
      : Number(await evaluate(run, node, loop.cardinality, 'loop cardinality', around))
  if (cardinality === undefined || !Number.isInteger(cardinality) || cardinality < 0) {
    throw new StepFailure(node.id, `The loop cardinality of ${node.label} is no whole number.`)
  }
  return { total: checkedTotal(cardinality, node) }
}

function checkedTotal(total: number, node: FlowNode): number {
  if (total <= maxLoopIterations) return total
  throw new StepFailure(node.id, `${node.label} would run ${total} times; at most ${maxLoopIterations} are possible.`)
}

/** Begins the first iterations, or ends the activity if there are none. */
export async function beginIterations(run: EngineRun, body: LoopBody): Promise<void> {
  const loop = loopOf(run, body)
  if (loop.kind === 'standard') return loop.isTestedBefore ? await iterateWhile(run, body, loop) : begin(run, body, 1)
  if (body.total === 0) run.moves.unshift({ do: 'finish', id: body.id })
  else begin(run, body, loop.isSequential ? 1 : (body.total ?? 0))
}

/** Counts a completed iteration: begins the next one, waits for the others, or ends the activity. */
export async function endIteration(run: EngineRun, id: string): Promise<void> {
  const before = run.tokens.get(id)
  if (before?.is !== 'loop') return
  const body: LoopBody = { ...before, done: before.done + 1 }
  run.tokens.set(id, body)
  const loop = loopOf(run, body)
  if (loop.kind === 'standard') return await iterateWhile(run, body, loop)
  if (loop.until !== undefined && (await isEnough(run, body, loop.until))) return end(run, body)
  if (body.done === body.total) return end(run, body)
  if (loop.isSequential) begin(run, body, 1)
}

async function iterateWhile(run: EngineRun, body: LoopBody, loop: Loop & { kind: 'standard' }): Promise<void> {
  const node = nodeAt(run, body.at)
  const isOver =
    (loop.maximum !== undefined && body.done >= loop.maximum) ||
    (loop.condition !== undefined &&
      !(await evaluate(run, node, loop.condition, 'loop condition', body, {
        executionId: body.id,
        variables: { loopCounter: body.done },
      })))
  if (isOver) end(run, body)
  else begin(run, body, 1)
}

/** Whether the completion condition holds. It sees the variables of BPMN 2.0.2, table 10.31. */
async function isEnough(run: EngineRun, body: LoopBody, until: string): Promise<boolean> {
  const counts = {
    loopCounter: body.done,
    numberOfInstances: body.total,
    numberOfActiveInstances: body.begun - body.done,
    numberOfCompletedInstances: body.done,
    numberOfTerminatedInstances: 0,
  }
  return Boolean(
    await evaluate(run, nodeAt(run, body.at), until, 'completion condition', body, {
      executionId: body.id,
      variables: counts,
    }),
  )
}

function begin(run: EngineRun, body: LoopBody, count: number): void {
  run.tokens.set(body.id, { ...body, begun: body.begun + count })
  for (let i = 0; i < count; i++) run.moves.push({ do: 'iterate', id: body.id, index: body.begun + i })
}

function end(run: EngineRun, body: LoopBody): void {
  for (const each of run.tokens.values()) if (each.loop === body.id) cancel(run, each.id)
  run.moves.unshift({ do: 'finish', id: body.id })
}

function loopOf(run: EngineRun, body: LoopBody): Loop {
  const { loop, label } = nodeAt(run, body.at)
  if (loop === undefined) throw new StepFailure(body.at, `${label} is no loop.`)
  return loop
}

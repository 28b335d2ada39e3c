import { cancel } from './cancel.ts'
import type { FlowNode, Loop } from './model/graph.ts'
import { evaluate, nodeAt, StepFailure, type Run, type TokenAt } from './run.ts'

type LoopBody = TokenAt & { is: 'loop' }
type Multi = Loop & { kind: 'multi' }

const mostTurns = 1_000

/** Begins an activity that runs several times; its turns follow as moves. */
export async function openLoop(run: Run, node: FlowNode, loop: Loop, id: string, scope: string): Promise<void> {
  const place = { is: 'loop', id, at: node.id, in: scope, begun: 0, done: 0 } as const
  const size = loop.kind === 'multi' ? await sizeOf(run, node, loop, scope) : {}
  run.standing.set(id, { ...place, ...size })
}

async function sizeOf(
  run: Run,
  node: FlowNode,
  loop: Multi,
  scope: string,
): Promise<{ total: number; items?: unknown[] }> {
  const around = run.standing.get(scope)
  if (loop.collection !== undefined) {
    const items = (await evaluate(run, node, loop.collection, 'collection', around)) ?? []
    if (!Array.isArray(items)) throw new StepFailure(node.id, `The collection of ${node.label} is no list.`)
    return { total: within(items.length, node), items }
  }
  const cardinality =
    loop.cardinality === undefined
      ? undefined
      : Number(await evaluate(run, node, loop.cardinality, 'loop cardinality', around))
  if (cardinality === undefined || !Number.isInteger(cardinality) || cardinality < 0) {
    throw new StepFailure(node.id, `The loop cardinality of ${node.label} is no whole number.`)
  }
  return { total: within(cardinality, node) }
}

function within(total: number, node: FlowNode): number {
  if (total <= mostTurns) return total
  throw new StepFailure(node.id, `${node.label} would run ${total} times; at most ${mostTurns} are possible.`)
}

/** Begins the first turns, or ends the activity where there is none. */
export async function beginTurns(run: Run, body: LoopBody): Promise<void> {
  const loop = loopOf(run, body)
  if (loop.kind === 'standard') return loop.isTestedBefore ? await turnWhile(run, body, loop) : begin(run, body, 1)
  if (body.total === 0) run.moves.unshift({ do: 'finish', id: body.id })
  else begin(run, body, loop.isSequential ? 1 : (body.total ?? 0))
}

/** A turn is over: begins the next, waits for the others, or ends the activity. */
export async function endTurn(run: Run, id: string): Promise<void> {
  const before = run.standing.get(id)
  if (before?.is !== 'loop') return
  const body: LoopBody = { ...before, done: before.done + 1 }
  run.standing.set(id, body)
  const loop = loopOf(run, body)
  if (loop.kind === 'standard') return await turnWhile(run, body, loop)
  if (loop.until !== undefined && (await isEnough(run, body, loop.until))) return end(run, body)
  if (body.done === body.total) return end(run, body)
  if (loop.isSequential) begin(run, body, 1)
}

async function turnWhile(run: Run, body: LoopBody, loop: Loop & { kind: 'standard' }): Promise<void> {
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

/** BPMN 2.0.2, table 10.31: what a completion condition may ask for. */
async function isEnough(run: Run, body: LoopBody, until: string): Promise<boolean> {
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

function begin(run: Run, body: LoopBody, turns: number): void {
  run.standing.set(body.id, { ...body, begun: body.begun + turns })
  for (let turn = 0; turn < turns; turn++) run.moves.push({ do: 'turn', id: body.id, index: body.begun + turn })
}

function end(run: Run, body: LoopBody): void {
  for (const each of run.standing.values()) if (each.loop === body.id) cancel(run, each.id)
  run.moves.unshift({ do: 'finish', id: body.id })
}

function loopOf(run: Run, body: LoopBody): Loop {
  const { loop, label } = nodeAt(run, body.at)
  if (loop === undefined) throw new StepFailure(body.at, `${label} is no loop.`)
  return loop
}

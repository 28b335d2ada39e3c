import type { FlowNode, Loop } from '../../shapes/graph.ts'
import { cancel } from './cancel.ts'
import { nodeAt, StepFailure, type EngineRun, type LoopBody, type Token, type TokenPosition } from './engine-run.ts'

/** Enters a loop or multi-instance activity; `beginIterations` starts its iterations. */
export async function openLoop(run: EngineRun, node: FlowNode, loop: Loop, position: TokenPosition): Promise<void> {
  const size = await run.elements.loop(loop.kind).open?.(run, node, loop, position)
  run.tokens.set(position.id, { is: 'loop', ...position, begun: 0, done: 0, ...size })
}

/** Begins the first iterations, or ends the activity if there are none. */
export async function beginIterations(run: EngineRun, id: string): Promise<void> {
  const body = run.tokens.get(id)
  if (body?.is !== 'loop') return
  const loop = loopOf(run, body)
  await run.elements.loop(loop.kind).begin(run, body, loop)
}

/** Counts a completed iteration: begins the next one, waits for the others, or ends the activity. */
export async function endIteration(run: EngineRun, pass: Token, id: string): Promise<void> {
  const before = run.tokens.get(id)
  if (before?.is !== 'loop') return
  const body: LoopBody = { ...before, done: before.done + 1, ...(pass.task && { ended: pass.task }) }
  run.tokens.set(id, body)
  const loop = loopOf(run, body)
  await run.elements.loop(loop.kind).next(run, body, loop, pass)
}

export function beginRounds(run: EngineRun, body: LoopBody, count: number): void {
  run.tokens.set(body.id, { ...body, begun: body.begun + count })
  for (let i = 0; i < count; i++) run.moves.push({ do: 'iterate', id: body.id, index: body.begun + i })
}

export function endLoop(run: EngineRun, body: LoopBody): void {
  for (const each of run.tokens.values()) if (each.loop === body.id) cancel(run, each.id)
  run.moves.unshift({ do: 'finish', id: body.id })
}

function loopOf(run: EngineRun, body: LoopBody): Loop {
  const { loop, label } = nodeAt(run, body.at)
  if (loop === undefined) throw new StepFailure(body.at, `${label} is no loop.`)
  return loop
}

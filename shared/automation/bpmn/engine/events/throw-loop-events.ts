import type { FlowNode, LoopEvent, Trigger } from '../../shapes/graph.ts'
import { type EngineRun, type LoopBody, nodeAt, type Token } from '../tokens/engine-run.ts'
import { evaluate } from '../tokens/evaluate.ts'
import { countsOf } from '../tokens/variable-scopes.ts'
import { escalateFrom } from './escalate.ts'
import { occur } from './occur.ts'

/**
 * Throws what a multi-instance activity does when a pass of it is completed. The events on its border come first; what
 * none of them catches is thrown as by a throw event. `ended`: the activity was interrupted.
 */
export async function throwLoopEvents(run: EngineRun, body: LoopBody, pass: Token): Promise<'ended' | undefined> {
  const node = nodeAt(run, body.at)
  const attributes = { ...countsOf(body), loopCounter: pass.index ?? 0 }
  for (const event of node.loopEvents ?? []) {
    if (!(await isThrown(run, node, event, body, pass, attributes))) continue
    for (const trigger of event.triggers) {
      await throwFrom(run, node, trigger, body, pass, attributes)
      if (trigger.on === 'error' || !run.tokens.has(body.id)) return 'ended'
    }
  }
  return undefined
}

async function isThrown(
  run: EngineRun,
  node: FlowNode,
  { when, condition }: LoopEvent,
  body: LoopBody,
  pass: Token,
  variables: Readonly<Record<string, unknown>>,
): Promise<boolean> {
  if (condition === undefined) return when === 'each' || body.done === 1
  return Boolean(
    await evaluate(run, node, condition, 'condition of the behavior', pass, { executionId: pass.id, variables }),
  )
}

async function throwFrom(
  run: EngineRun,
  node: FlowNode,
  trigger: Trigger,
  body: LoopBody,
  pass: Token,
  attributes: Readonly<Record<string, unknown>>,
): Promise<void> {
  if (trigger.on === 'escalation') return escalateFrom(run, body, trigger.code)
  if (trigger.on === 'error') {
    const error = { code: trigger.code ?? '', message: '', elementId: node.id }
    return void run.moves.unshift({ do: 'raise', error, in: body.in, id: body.id })
  }
  const caught = catcherOf(run, body, trigger)
  if (caught !== undefined) return occur(run, caught, attributes)
  const before = run.thrown.length
  await run.elements.trigger(trigger.on)?.throw?.(run, node, trigger, { id: pass.id, at: node.id, in: body.in })
  // What it throws carries how far the activity is.
  const thrown = run.thrown.splice(before)
  run.thrown.push(...thrown.map((one) => ({ ...one, variables: { ...attributes, ...one.variables } })))
}

/** The token of an event on the border of the activity that waits for what it throws. */
function catcherOf(run: EngineRun, body: LoopBody, trigger: Trigger) {
  const isOnBorder = (token: Token | undefined): boolean => token?.is === 'watch' && token.host === body.id
  for (const token of run.tokens.values()) {
    const main = token.is === 'part' ? run.tokens.get(token.of) : token
    if ((token.is !== 'part' && token.is !== 'watch') || !isOnBorder(main) || !('on' in token)) continue
    if (token.on === trigger.on && 'name' in token && 'name' in trigger && token.name === trigger.name) return token
  }
  return undefined
}

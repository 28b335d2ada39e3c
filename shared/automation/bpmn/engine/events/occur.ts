import type { FlowNode } from '../../shapes/graph.ts'
import { nextTiming } from '../../shapes/timing.ts'
import { addPart, awaitedOf, awaitTrigger, type Bare, tokenFor } from '../tokens/await-event.ts'
import { cancel, removeToken } from '../tokens/cancel.ts'
import {
  type EngineRun,
  nextId,
  nodeAt,
  recordEvent,
  StepFailure,
  type Token,
  type TokenPosition,
} from '../tokens/engine-run.ts'
import { evaluate } from '../tokens/evaluate.ts'
import { leave } from '../tokens/leave.ts'
import { assign } from '../tokens/variable-scopes.ts'
import { startEventSubProcess } from './start-event-sub-process.ts'

/** A token of an event, or of one of its several triggers. */
type EventToken = Token & { is: 'timer' | 'event' | 'watch' | 'alarm' | 'part' }

/** What a token, or one of its triggers, waited for has occurred. `variables`: what came with it. */
export async function occur(
  run: EngineRun,
  token: EventToken,
  variables: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const main = (token.is === 'part' ? run.tokens.get(token.of) : token) as EventToken | undefined
  if (main === undefined) return
  const node = nodeAt(run, main.at)
  const given = { ...('given' in main ? main.given : undefined), ...variables }
  if (token.is === 'part' && node.isParallel) {
    run.tokens.delete(token.id)
    if (partsOf(run, main.id).length > 0) return void run.tokens.set(main.id, { ...main, given } as Token)
  }
  if (main.is === 'watch') await fireBoundaryEvent(run, node, main, token, given)
  else if (main.is === 'alarm') await fireStartEvent(run, node, main, token, given)
  else {
    assign(run, main, given)
    if (main.is === 'timer' && main.gate === undefined) waitForNext(run, node, main)
    run.moves.push({ do: 'finish', id: main.id })
  }
}

/** A timer that repeats: the token continues, and another one waits for the next time. */
function waitForNext(
  run: EngineRun,
  node: FlowNode,
  { at, in: scope, task, ...token }: EventToken & { is: 'timer' },
): void {
  const next = nextTiming(token)
  if (next === undefined) return
  const id = nextId(run, node)
  recordEvent(run, node.id, id, 'entered')
  run.tokens.set(id, { is: 'timer', id, at, in: scope, ...(task && { task }), ...next })
}

const partsOf = (run: EngineRun, id: string): Token[] =>
  [...run.tokens.values()].filter((each) => each.is === 'part' && each.of === id)

/** An interrupting boundary event cancels its activity. */
async function fireBoundaryEvent(
  run: EngineRun,
  node: FlowNode,
  main: EventToken & { is: 'watch' },
  fired: EventToken,
  variables: Readonly<Record<string, unknown>>,
): Promise<void> {
  const task = run.tokens.get(main.host)?.task
  const id = idOfFiring(run, node, main)
  recordEvent(run, node.id, id, 'entered')
  if (node.isInterrupting) cancel(run, main.host)
  else await awaitAgain(run, node, main, fired, run.tokens.get(main.host))
  assign(run, run.tokens.get(main.in), variables)
  recordEvent(run, node.id, id, 'completed')
  await leave(run, node, main.in, id, task)
}

/** An interrupting start event of an event sub-process cancels everything else in the scope. */
async function fireStartEvent(
  run: EngineRun,
  start: FlowNode,
  main: EventToken & { is: 'alarm' },
  fired: EventToken,
  variables: Readonly<Record<string, unknown>>,
): Promise<void> {
  const id = idOfFiring(run, start, main)
  if (!start.isInterrupting) await awaitAgain(run, start, main, fired, run.tokens.get(main.in))
  await startEventSubProcess(run, nodeAt(run, start.parentId), start, main.in, id, variables)
}

/** The executionId under which an event occurs. Its token ends, unless it has several triggers and waits again. */
function idOfFiring(run: EngineRun, node: FlowNode, main: EventToken): string {
  if ('on' in main && main.on === 'several' && !node.isInterrupting) return nextId(run, node)
  removeToken(run, main.id)
  return main.id
}

/** An event that does not interrupt waits again: for the next time of its timer, or for what occurred. */
async function awaitAgain(
  run: EngineRun,
  node: FlowNode,
  main: EventToken & { is: 'watch' | 'alarm' },
  fired: EventToken,
  around: TokenPosition | undefined,
): Promise<void> {
  const { id: _, is, at, in: scope, task } = main
  const bare = (id: string): Bare =>
    ({ is, id, at, in: scope, ...('host' in main && { host: main.host }), ...(task && { task }) }) as Bare
  if (fired.is === 'part' && node.isParallel) {
    run.tokens.set(main.id, { ...bare(main.id), on: 'several' } as Token)
    for (const { index, awaited } of await awaitedOf(run, node, around)) addPart(run, node, main, index, awaited)
    return
  }
  const index =
    fired.is === 'part' ? fired.trigger : node.triggers.findIndex(({ on }) => !('on' in fired) || on === fired.on)
  if (fired.is === 'part') run.tokens.delete(fired.id)
  const awaited = 'due' in fired ? nextTiming(fired) : await awaitTrigger(run, node, index, around)
  if (awaited === undefined) return
  const held = 'on' in awaited && awaited.on === 'conditional' ? { ...awaited, isMet: true as const } : awaited
  if (fired.is === 'part') return addPart(run, node, main, index, held)
  const id = nextId(run, node)
  run.tokens.set(id, tokenFor(bare(id), held))
}

/** The condition of an event does not hold any more: it occurs when it holds again. */
export function holdsNoMore(run: EngineRun, token: Token): void {
  const { isMet: _, ...rest } = token as Token & { isMet?: true }
  run.tokens.delete(token.id)
  const id = nextId(run, nodeAt(run, token.at))
  // Its parts refer to it; a condition that is one of several is a part itself.
  run.tokens.set(id, { ...rest, id } as Token)
}

/** Lets the events occur whose condition holds now. True: there was one. */
export async function occurWhenMet(run: EngineRun): Promise<boolean> {
  run.areConditionsStale = false
  for (const token of run.tokens.values()) {
    if (!('on' in token) || token.on !== 'conditional') continue
    const holds = await conditionHolds(run, token)
    if (holds && token.isMet === undefined && !isFinishing(run, token)) {
      await occur(run, token)
      return true
    }
    if (!holds && token.isMet === true) holdsNoMore(run, token)
  }
  return false
}

/** Whether an event has occurred and is only to be completed. */
function isFinishing(run: EngineRun, token: Token): boolean {
  const id = token.is === 'part' ? token.of : token.id
  return run.moves.some((move) => move.do === 'finish' && move.id === id)
}

/** Whether the condition of an event holds. One that cannot be evaluated, yet, does not. */
async function conditionHolds(run: EngineRun, token: Token): Promise<boolean> {
  const node = nodeAt(run, token.at)
  const main = token.is === 'part' ? run.tokens.get(token.of) : token
  const trigger =
    token.is === 'part' ? node.triggers[token.trigger] : node.triggers.find(({ on }) => on === 'conditional')
  if (main === undefined || trigger?.on !== 'conditional') return false
  const around = main.is === 'watch' ? run.tokens.get(main.host) : main.is === 'alarm' ? run.tokens.get(main.in) : main
  try {
    return Boolean(await evaluate(run, node, trigger.condition, 'condition', around))
  } catch (cause) {
    if (cause instanceof StepFailure) return false
    throw cause
  }
}

import { startsOf, type FlowNode } from '../model/graph.ts'
import { cancelScope } from './cancel.ts'
import {
  countActivation,
  nextId,
  nodeAt,
  StepFailure,
  recordEvent,
  type Move,
  type TokenPosition,
  type EngineRun,
} from './engine-run.ts'
import { joinParallel, linkTargetOf } from './joins.ts'
import { leave } from './leave.ts'
import { beginIterations, openLoop } from './loops.ts'
import { performWork } from './perform-work.ts'
import { startEventSubProcessTimers, evaluateTimer, startBoundaryTimers } from './timers.ts'

const waitingTypes = new Set(['userTask', 'manualTask', 'receiveTask'])
const workTypes = new Set(['serviceTask', 'sendTask', 'scriptTask', 'businessRuleTask'])

/** A token arrives at the target of a flow: it waits there if the target is a join, otherwise it enters. */
export async function arrive(run: EngineRun, { flow, in: scope }: Move & { do: 'arrive' }): Promise<void> {
  const node = flow.target
  if (node.type === 'parallelGateway' && !joinParallel(run, node, { flow: flow.id, in: scope })) return
  if (node.type === 'inclusiveGateway' && node.incoming.length > 1) run.suspended.push({ flow: flow.id, in: scope })
  else await enter(run, node, scope)
}

/** Enters an activity, a gateway or an event. `gate`: id of the event-based gateway that waits for this event. */
export async function enter(run: EngineRun, node: FlowNode, scope: string, gate?: string): Promise<void> {
  countActivation(run, node)
  const id = nextId(run, node)
  recordEvent(run, node.id, id, 'entered')
  const position: TokenPosition = { id, at: node.id, in: scope, ...(gate !== undefined && { gate }) }
  if (node.loop !== undefined) return await enterLoop(run, node, id, scope)
  switch (node.type) {
    case 'startEvent':
    case 'exclusiveGateway':
    case 'inclusiveGateway':
    case 'parallelGateway':
      return await passThrough(run, node, position)
    case 'intermediateThrowEvent':
      return await throwEvent(run, node, position)
    case 'endEvent':
      return endEvent(run, node, position)
    case 'intermediateCatchEvent':
      if (node.trigger?.on === 'timer')
        run.tokens.set(id, { is: 'timer', ...position, ...(await evaluateTimer(run, node, run.tokens.get(scope))) })
      else run.tokens.set(id, { is: 'task', ...position })
      return
    case 'eventBasedGateway':
      run.tokens.set(id, { is: 'gate', ...position })
      for (const flow of node.outgoing) run.moves.push({ do: 'enter', node: flow.target, in: scope, gate: id })
      return
    default:
      return await beginActivity(run, node, position)
  }
}

/** Begins an activity, or one iteration of it. */
async function beginActivity(run: EngineRun, node: FlowNode, position: TokenPosition): Promise<void> {
  const { id } = position
  if (waitingTypes.has(node.type)) {
    run.tokens.set(id, { is: 'task', ...position })
    await startTimersOn(run, id)
  } else if (workTypes.has(node.type)) {
    run.tokens.set(id, { is: 'work', ...position })
    // Work completes within the step. Only failed work waits, so only failed work needs its boundary timers.
    if ((await performWork(run, id)) === 'failed') await startTimersOn(run, id)
  } else if (node.type === 'subProcess') {
    run.tokens.set(id, { is: 'scope', ...position })
    await startTimersOn(run, id)
    await openScope(run, node.id, id)
  } else if (node.type === 'task') {
    run.tokens.set(id, { is: 'work', ...position })
    run.moves.unshift({ do: 'finish', id })
  } else throw new StepFailure(node.id, `${node.label} is a ${node.type}, which this engine does not run.`)
}

async function startTimersOn(run: EngineRun, id: string): Promise<void> {
  const host = run.tokens.get(id)
  // Boundary events belong to the whole activity, not to one iteration.
  if (host !== undefined && host.loop === undefined) await startBoundaryTimers(run, host)
}

/** Starts a sub-process, or the process itself (`scope` is ''). */
export async function openScope(run: EngineRun, parentId: string, scope: string): Promise<void> {
  await startEventSubProcessTimers(run, parentId, scope)
  for (const node of startsOf(run.graph, parentId)) run.moves.push({ do: 'enter', node, in: scope })
}

async function enterLoop(run: EngineRun, node: FlowNode, id: string, scope: string): Promise<void> {
  if (node.loop === undefined) return
  await openLoop(run, node, node.loop, id, scope)
  await startTimersOn(run, id)
  const body = run.tokens.get(id)
  if (body?.is === 'loop') await beginIterations(run, body)
}

/** Begins one iteration of a loop or multi-instance activity. */
export async function iterate(run: EngineRun, { id, index }: Move & { do: 'iterate' }): Promise<void> {
  const body = run.tokens.get(id)
  if (body?.is !== 'loop') return
  const node = nodeAt(run, body.at)
  countActivation(run, node)
  const position: TokenPosition = { id: `${id}.${index}`, at: node.id, in: body.in, loop: id, index }
  recordEvent(run, node.id, position.id, 'entered')
  await beginActivity(run, node, position)
}

async function passThrough(run: EngineRun, node: FlowNode, { id, in: scope }: TokenPosition): Promise<void> {
  recordEvent(run, node.id, id, 'completed')
  await leave(run, node, scope, id)
}

async function throwEvent(run: EngineRun, node: FlowNode, position: TokenPosition): Promise<void> {
  if (node.trigger?.on !== 'link') return await passThrough(run, node, position)
  const target = linkTargetOf(run, node)
  if (target === undefined) throw new StepFailure(node.id, `The link of ${node.label} leads nowhere.`)
  recordEvent(run, node.id, position.id, 'completed')
  const id = nextId(run, target)
  recordEvent(run, target.id, id, 'entered')
  await passThrough(run, target, { id, at: target.id, in: position.in })
}

function endEvent(run: EngineRun, node: FlowNode, { id, in: scope }: TokenPosition): void {
  const { trigger } = node
  if (trigger?.on === 'terminate') cancelScope(run, scope)
  recordEvent(run, node.id, id, 'completed')
  if (trigger?.on === 'error')
    run.moves.unshift({ do: 'raise', error: { code: trigger.code ?? '', message: '', elementId: node.id }, in: scope })
}

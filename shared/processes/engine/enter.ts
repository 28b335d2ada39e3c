import { cancel, clear } from './cancel.ts'
import { joinParallel, landingOf } from './joins.ts'
import { leave } from './leave.ts'
import { beginTurns, endTurn, openLoop } from './loops.ts'
import { startsOf, type FlowNode } from './model/graph.ts'
import { countActivation, nextId, nodeAt, StepFailure, record, type Move, type Place, type Run } from './run.ts'
import { setAlarms, setTimer, watch } from './timers.ts'
import { perform } from './work.ts'

const waiting = new Set(['userTask', 'manualTask', 'receiveTask'])
const working = new Set(['serviceTask', 'sendTask', 'scriptTask', 'businessRuleTask'])

/** A token comes along a flow. */
export async function arrive(run: Run, { flow, in: scope }: Move & { do: 'arrive' }): Promise<void> {
  const node = flow.target
  if (node.type === 'parallelGateway' && !joinParallel(run, node, { flow: flow.id, in: scope })) return
  if (node.type === 'inclusiveGateway' && node.incoming.length > 1) run.parked.push({ flow: flow.id, in: scope })
  else await enter(run, node, scope)
}

/** Begins an activity, a gateway or an event. `gate`: the event-based gateway that waits for it. */
export async function enter(run: Run, node: FlowNode, scope: string, gate?: string): Promise<void> {
  countActivation(run, node)
  const id = nextId(run, node)
  record(run, node.id, id, 'entered')
  const place: Place = { id, at: node.id, in: scope, ...(gate !== undefined && { gate }) }
  if (node.loop !== undefined) return await enterLoop(run, node, id, scope)
  switch (node.type) {
    case 'startEvent':
    case 'exclusiveGateway':
    case 'inclusiveGateway':
    case 'parallelGateway':
      return await pass(run, node, place)
    case 'intermediateThrowEvent':
      return await throwOn(run, node, place)
    case 'endEvent':
      return end(run, node, place)
    case 'intermediateCatchEvent':
      if (node.trigger?.on === 'timer')
        run.standing.set(id, { is: 'timer', ...place, ...(await setTimer(run, node, run.standing.get(scope))) })
      else run.standing.set(id, { is: 'task', ...place })
      return
    case 'eventBasedGateway':
      run.standing.set(id, { is: 'gate', ...place })
      for (const flow of node.outgoing) run.moves.push({ do: 'enter', node: flow.target, in: scope, gate: id })
      return
    default:
      return await begin(run, node, place)
  }
}

/** Begins an activity, or one turn of it. */
async function begin(run: Run, node: FlowNode, place: Place): Promise<void> {
  const { id } = place
  if (waiting.has(node.type)) {
    run.standing.set(id, { is: 'task', ...place })
    await watchOver(run, id)
  } else if (working.has(node.type)) {
    run.standing.set(id, { is: 'work', ...place })
    // Work is over within the step, unless it fails: only then is there something for a timer to watch over.
    if ((await perform(run, id)) === 'failed') await watchOver(run, id)
  } else if (node.type === 'subProcess') {
    run.standing.set(id, { is: 'scope', ...place })
    await watchOver(run, id)
    await openScope(run, node.id, id)
  } else if (node.type === 'task') {
    run.standing.set(id, { is: 'work', ...place })
    run.moves.unshift({ do: 'finish', id })
  } else throw new StepFailure(node.id, `${node.label} is a ${node.type}, which this engine does not run.`)
}

async function watchOver(run: Run, id: string): Promise<void> {
  const host = run.standing.get(id)
  // The border belongs to the activity as a whole, not to its turns.
  if (host !== undefined && host.loop === undefined) await watch(run, host)
}

/** Starts a sub-process, or the process itself ('' as scope). */
export async function openScope(run: Run, parentId: string, scope: string): Promise<void> {
  await setAlarms(run, parentId, scope)
  for (const node of startsOf(run.graph, parentId)) run.moves.push({ do: 'enter', node, in: scope })
}

async function enterLoop(run: Run, node: FlowNode, id: string, scope: string): Promise<void> {
  if (node.loop === undefined) return
  await openLoop(run, node, node.loop, id, scope)
  await watchOver(run, id)
  const body = run.standing.get(id)
  if (body?.is === 'loop') await beginTurns(run, body)
}

/** Begins one turn of an activity that runs several times. */
export async function turn(run: Run, { id, index }: Move & { do: 'turn' }): Promise<void> {
  const body = run.standing.get(id)
  if (body?.is !== 'loop') return
  const node = nodeAt(run, body.at)
  countActivation(run, node)
  const place: Place = { id: `${id}.${index}`, at: node.id, in: body.in, loop: id, index }
  record(run, node.id, place.id, 'entered')
  await begin(run, node, place)
}

async function pass(run: Run, node: FlowNode, { id, in: scope }: Place): Promise<void> {
  record(run, node.id, id, 'completed')
  await leave(run, node, scope, id)
}

async function throwOn(run: Run, node: FlowNode, place: Place): Promise<void> {
  if (node.trigger?.on !== 'link') return await pass(run, node, place)
  const landing = landingOf(run, node)
  if (landing === undefined) throw new StepFailure(node.id, `The link of ${node.label} leads nowhere.`)
  record(run, node.id, place.id, 'completed')
  const id = nextId(run, landing)
  record(run, landing.id, id, 'entered')
  await pass(run, landing, { id, at: landing.id, in: place.in })
}

function end(run: Run, node: FlowNode, { id, in: scope }: Place): void {
  const { trigger } = node
  if (trigger?.on === 'terminate') clear(run, scope)
  record(run, node.id, id, 'completed')
  if (trigger?.on === 'error')
    run.moves.unshift({ do: 'raise', error: { code: trigger.code ?? '', message: '', elementId: node.id }, in: scope })
}

/** Something that stood is over: goes on along its flows, or with the next turn. */
export async function finish(run: Run, id: string): Promise<void> {
  const standing = run.standing.get(id)
  if (standing === undefined) return
  const node = nodeAt(run, standing.at)
  // What its end leaves behind (timers on its border, events sub-processes that never came) is no news.
  for (const each of run.standing.values())
    if (each.is === 'alarm' ? each.in === id : each.is === 'watch' && each.host === id) run.standing.delete(each.id)
  run.standing.delete(id)
  record(run, node.id, id, 'completed')
  if (standing.gate !== undefined) closeGate(run, standing.gate)
  if (standing.loop === undefined) await leave(run, node, standing.in, id)
  else await endTurn(run, standing.loop)
}

/** The first event decides; the others were waited for in vain. */
function closeGate(run: Run, id: string): void {
  const gate = run.standing.get(id)
  if (gate === undefined) return
  for (const each of run.standing.values()) if (each.gate === id) cancel(run, each.id)
  run.standing.delete(id)
  record(run, gate.at, id, 'completed')
}

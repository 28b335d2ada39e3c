import { own } from '../../../kernel/collections/own-members.ts'
import { thereIsNo } from '../../../kernel/text/did-you-mean.ts'
import { graphOf } from '../engine/graph-of.ts'
import type { StoredMove, StoredState } from '../engine/stored-state.ts'
import { cancel } from '../engine/tokens/cancel.ts'
import { type EngineRun, nodeAt, type Token } from '../engine/tokens/engine-run.ts'
import { eventSubProcessesOf } from '../engine/tokens/open-scope.ts'
import { changeTokens } from '../process.ts'
import type { EngineState, TaskResult } from '../schema.ts'
import type { CompiledProcess } from '../shapes/compiled-process.ts'
import type { Flow, FlowNode, Graph } from '../shapes/graph.ts'
import type { ChangeProblem } from './modify-tokens.ts'

/** Old elements and flows, and what they are in the other version. */
export type Mapping = Readonly<Record<string, string>>

/** What becomes of a token: it stays as it is, stays by the definition of the new version, or enters its element again. */
export type Effect = 'kept' | 'updated' | 'restarted'

export interface MigratedToken {
  readonly executionId: string
  readonly from: string
  readonly to: string
  readonly effect: Effect
}

/** Two versions of a process, and how one leads to the other. */
interface Versions {
  readonly from: CompiledProcess
  readonly to: CompiledProcess
  readonly old: Graph
  readonly next: Graph
  readonly version: number
  readonly mapped: (id: string) => string
  readonly flowTo: (id: string) => Flow | undefined
}

/**
 * A waiting process as one of another version. Its tokens stand on the elements of the same id, or on those that `mapping`
 * names. Events whose definition differs begin to wait again in the next step. Nothing is done when there are problems.
 */
export function migrateState(
  from: CompiledProcess,
  to: CompiledProcess,
  state: EngineState,
  { mapping, version, nowMs }: { readonly mapping: Mapping; readonly version: number; readonly nowMs: number },
) {
  const stored = state as StoredState
  const [old, next] = [graphOf(from), graphOf(to)]
  const mapped = (id: string): string => own(mapping, id) ?? id
  const versions: Versions = { from, to, old, next, version, mapped, flowTo: (id) => flowIn(old, next, mapped, id) }
  const wrong = wrongMappings(versions, mapping)
  const problems = wrong.length > 0 ? wrong : misfits(versions, stored)
  if (problems.length > 0) return { problems, tokens: [] }
  const restarted = restartedGates(versions, stored)
  const dropped = (token: Token): boolean => isDropped(versions, stored, token) || isIn(restarted, token)
  const tokens = stored.standing
    .filter((token) => !isAttached(token) && token.loop === undefined && token.gate === undefined)
    .map((token): MigratedToken => ({
      executionId: token.id,
      from: token.at,
      to: mapped(token.at),
      effect: effectOf(versions, token, restarted),
    }))
  const changed = changeTokens(to, movedState(versions, stored, dropped), nowMs, (run) => {
    rearm(run, versions, stored)
    for (const { executionId, effect } of tokens) if (effect === 'restarted') enterAgain(run, executionId)
  })
  return { ...changed, problems, tokens }
}

const isAttached = ({ is }: Token): boolean => is === 'watch' || is === 'alarm' || is === 'part' || is === 'reset'
const isIn = (gates: ReadonlySet<string>, { gate }: Token): boolean => gate !== undefined && gates.has(gate)

/** The flow that a flow is in the other version: of the same id, or the only one between the same elements. */
function flowIn(old: Graph, next: Graph, mapped: (id: string) => string, id: string): Flow | undefined {
  const before = old.flows.get(id)
  const same = next.flows.get(mapped(id))
  if (before === undefined) return undefined
  const [source, target] = [mapped(before.source.id), mapped(before.target.id)]
  if (same?.target.id === target) return same
  const between = next.nodes.get(source)?.outgoing.filter((flow) => flow.target.id === target) ?? []
  return between.length === 1 ? between[0] : undefined
}

function wrongMappings({ old, next, version }: Versions, mapping: Mapping): ChangeProblem[] {
  return Object.entries(mapping).flatMap(([from, to]) => {
    const path = `mapping.${from}`
    const isFlow = old.flows.has(from)
    if (!isFlow && !old.nodes.has(from))
      return [{ path, message: `${from}: ${thereIsNo('element', from, [...old.nodes.keys()])}` }]
    const known = isFlow ? next.flows : next.nodes
    if (known.has(to)) return []
    const what = `${isFlow ? 'flow' : 'element'} in version ${version}`
    return [{ path, message: `${to}: ${thereIsNo(what, to, [...known.keys()])}` }]
  })
}

/** What keeps a process from going on in the other version: one message for each element. */
function misfits(
  versions: Versions,
  { standing, parked = [], completed = [], moves = [] }: StoredState,
): ChangeProblem[] {
  const { old, mapped, next, version } = versions
  const problems = new Map<string, string>()
  const report = (id: string, message: string | undefined): void => {
    if (message !== undefined && !problems.has(id)) problems.set(id, message)
  }
  const restarted = restartedGates(versions, { standing } as StoredState)
  for (const token of standing) {
    if (token.is === 'compensation' || token.compensation !== undefined)
      report(token.at, `${token.at} is part of a compensation, which has to end first.`)
    else if (!isAttached(token) && !isIn(restarted, token)) report(token.at, misfitOf(versions, token.at))
    const flows = token.is === 'reset' ? token.flows : []
    for (const flow of flows) report(token.at, misfitOfFlow(versions, flow))
    const queue = token.is === 'scope' ? (token.queue ?? []) : []
    for (const id of queue) report(id, misfitOf(versions, id))
  }
  for (const { at } of completed)
    report(at, misfitOf(versions, at) && `${misfitOf(versions, at)} It may still be compensated.`)
  for (const { flow } of parked) report(old.flows.get(flow)?.target.id ?? flow, misfitOfFlow(versions, flow))
  for (const move of moves) {
    if (move.do === 'arrive')
      report(old.flows.get(move.flow)?.target.id ?? move.flow, misfitOfFlow(versions, move.flow))
    else if (move.do === 'enter') report(move.node, misfitOf(versions, move.node))
    else if (move.do === 'arm' && !next.nodes.has(mapped(move.event)))
      report(move.event, `${move.event} waits to begin, and version ${version} does not have it: retry first.`)
    else if (move.do === 'into') for (const id of move.path) report(id, misfitOf(versions, id))
  }
  return [...problems].map(([id, message]) => ({ path: `mapping.${id}`, message }))
}

/** Why what stands on an element cannot stand on its counterpart. */
function misfitOf({ from, to, old, next, version, mapped }: Versions, id: string): string | undefined {
  const [before, target] = [old.nodes.get(id), mapped(id)]
  const after = next.nodes.get(target)
  if (before === undefined) return undefined
  if (after === undefined)
    return `${id}: ${thereIsNo(`element in version ${version}`, target, [...next.nodes.keys()])} Map it to the one that takes its place.`
  const is = (node: FlowNode): string => `${node.type}${loopText(node)}`
  if (is(before) !== is(after)) return `${id} is a ${is(before)}, and ${target} of version ${version} a ${is(after)}.`
  if (before.isEventSubProcess !== after.isEventSubProcess || before.isForCompensation !== after.isForCompensation)
    return `${id} and ${target} of version ${version} are begun in different ways.`
  const kinds = ({ triggers }: FlowNode): string =>
    triggers
      .map(({ on }) => on)
      .toSorted()
      .join(' and ')
  if (kinds(before) !== kinds(after))
    return `${id} waits for ${kinds(before) || 'nothing'}, and ${target} of version ${version} for ${kinds(after) || 'nothing'}.`
  const around = before.parentId === from.processId ? to.processId : mapped(before.parentId)
  if (around !== after.parentId)
    return `${id} is in ${placeOf(from, before)}, and ${target} of version ${version} in ${placeOf(to, after)}.`
  return undefined
}

const placeOf = ({ processId }: CompiledProcess, { parentId }: FlowNode): string =>
  parentId === processId ? 'the process itself' : parentId

function loopText({ loop }: FlowNode): string {
  if (loop === undefined) return ''
  if (loop.kind === 'standard') return ' in a loop'
  return loop.isSequential ? ' that runs several times in a row' : ' that runs several times at once'
}

function misfitOfFlow({ old, flowTo, version }: Versions, id: string): string | undefined {
  const flow = old.flows.get(id)
  if (flow === undefined || flowTo(id) !== undefined) return undefined
  return `A token that came by ${id} waits at ${flow.target.id}, and version ${version} has no such flow: map ${id} to the one that takes its place.`
}

/** What an event waits for, as text. */
const eventText = ({ triggers, isParallel, isInterrupting }: FlowNode): string =>
  JSON.stringify([triggers, isParallel, isInterrupting])

/** Whether an event has the same definition in both versions. */
function isSameEvent({ old, next, mapped }: Versions, id: string): boolean {
  const [before, after] = [old.nodes.get(id), next.nodes.get(mapped(id))]
  return before !== undefined && after !== undefined && eventText(before) === eventText(after)
}

/** The waiting event-based gateways whose events differ. */
function restartedGates(versions: Versions, { standing }: Pick<StoredState, 'standing'>): ReadonlySet<string> {
  const { old, next, mapped } = versions
  const eventsOf = (node: FlowNode | undefined): string[] => node?.outgoing.map(({ target }) => target.id) ?? []
  const gates = standing.filter(({ is, at }) => {
    if (is !== 'gate') return false
    const before = eventsOf(old.nodes.get(at))
    const after = new Set(eventsOf(next.nodes.get(mapped(at))))
    return before.length !== after.size || !before.every((id) => after.has(mapped(id)) && isSameEvent(versions, id))
  })
  return new Set(gates.map(({ id }) => id))
}

/** Whether an event on a border, or of an event sub-process, ends because its counterpart differs. */
function isDropped(versions: Versions, { standing }: StoredState, token: Token): boolean {
  const main = token.is === 'part' ? standing.find(({ id }) => id === token.of) : token
  if (main === undefined || (main.is !== 'watch' && main.is !== 'alarm')) return false
  return !isSameEvent(versions, main.at) || !isSamePlace(versions, main.at)
}

/** Whether an event is on the border of the same activity, or starts the same event sub-process. */
function isSamePlace({ from, to, old, next, mapped }: Versions, id: string): boolean {
  const [before, after] = [old.nodes.get(id), next.nodes.get(mapped(id))]
  if (before?.attachedTo !== undefined) return after?.attachedTo?.id === mapped(before.attachedTo.id)
  const parent = before === undefined || before.parentId === from.processId ? to.processId : mapped(before.parentId)
  return after?.parentId === parent
}

function effectOf(versions: Versions, { id, is, at }: Token, restarted: ReadonlySet<string>): Effect {
  const { from, to, mapped } = versions
  if (restarted.has(id)) return 'restarted'
  if ((is === 'timer' || is === 'event') && !isSameEvent(versions, at)) return 'restarted'
  const target = mapped(at)
  if (target !== at || own(from.elements, at)?.name !== own(to.elements, target)?.name) return 'updated'
  const differs = (one: unknown, other: unknown): boolean => JSON.stringify(one) !== JSON.stringify(other)
  const isChanged =
    differs(own(from.tasks, at), own(to.tasks, target)) ||
    differs(own(from.work, at), own(to.work, target)) ||
    differs(own(from.mappings, at), own(to.mappings, target)) ||
    differs(own(from.calls, at), own(to.calls, target))
  return isChanged ? 'updated' : 'kept'
}

/** The state with the elements and flows of the other version. */
function movedState(versions: Versions, stored: StoredState, dropped: (token: Token) => boolean): StoredState {
  const { mapped, flowTo } = versions
  const flowId = (id: string): string => flowTo(id)?.id ?? id
  const tasks = (results: Readonly<Record<string, TaskResult>>) =>
    Object.fromEntries(Object.entries(results).map(([id, result]) => [mapped(id), result]))
  return {
    ...stored,
    standing: stored.standing
      .filter((token) => !dropped(token))
      .map((token) => ({
        ...token,
        at: mapped(token.at),
        ...(token.is === 'reset' && { flows: token.flows.map(flowId) }),
        ...(token.is === 'scope' && token.queue && { queue: token.queue.map(mapped) }),
      })),
    ...(stored.parked && { parked: stored.parked.map((token) => ({ ...token, flow: flowId(token.flow) })) }),
    ...(stored.completed && { completed: stored.completed.map((one) => ({ ...one, at: mapped(one.at) })) }),
    ...(stored.moves && {
      moves: stored.moves.map((move): StoredMove => {
        if (move.do === 'arrive') return { ...move, flow: flowId(move.flow) }
        if (move.do === 'enter') return { ...move, node: mapped(move.node) }
        if (move.do === 'arm') return { ...move, event: mapped(move.event) }
        return move.do === 'into' ? { ...move, path: move.path.map(mapped) } : move
      }),
    }),
    ...(stored.tasks && { tasks: tasks(stored.tasks) }),
    ...(stored.scopes && {
      scopes: Object.fromEntries(
        Object.entries(stored.scopes).map(([id, scope]) => [
          id,
          { ...scope, ...(scope.tasks && { tasks: tasks(scope.tasks) }) },
        ]),
      ),
    }),
  }
}

/** Has the events begin to wait that are new in the other version, or differ, on what runs already. */
function rearm(run: EngineRun, versions: Versions, { standing }: StoredState): void {
  const { to, old, mapped } = versions
  const before = [...old.nodes.keys()]
  const isKnown = (id: string): boolean =>
    before.some((one) => mapped(one) === id && isSameEvent(versions, one) && isSamePlace(versions, one))
  const arm = (event: FlowNode, id: string): void => {
    if (event.triggers.length > 0 && !isKnown(event.id)) run.moves.push({ do: 'arm', event: event.id, for: id })
  }
  const hosts = standing.filter(
    ({ is, loop }) =>
      loop === undefined && (is === 'task' || is === 'work' || is === 'call' || is === 'scope' || is === 'loop'),
  )
  for (const { id } of hosts) {
    const host = run.tokens.get(id)
    if (host !== undefined) for (const event of nodeAt(run, host.at).boundary) arm(event, id)
  }
  const scopes = [...run.tokens.values()].filter(({ is }) => is === 'scope')
  for (const { id, at } of [{ id: '', at: to.processId }, ...scopes])
    for (const { body, start } of eventSubProcessesOf(run, at)) {
      const isRunning = scopes.some((one) => one.in === id && one.at === body.id)
      if (!(start.isInterrupting && isRunning)) arm(start, id)
    }
}

function enterAgain(run: EngineRun, id: string): void {
  const token = run.tokens.get(id)
  if (token === undefined) return
  const { in: scope, at, task } = token
  cancel(run, id)
  run.moves.push({ do: 'enter', node: nodeAt(run, at), in: scope, ...(task && { task }) })
}

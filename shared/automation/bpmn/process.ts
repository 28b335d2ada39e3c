import { byName } from '../../kernel/collections/own-members.ts'
import { elements } from './elements/registry.ts'
import { findCatcher } from './engine/events/raise-error.ts'
import { graphOf } from './engine/graph-of.ts'
import { applyCommand } from './engine/moves/apply-command.ts'
import { runMoves } from './engine/moves/run-moves.ts'
import type { StoredMove, StoredState } from './engine/stored-state.ts'
import { openAdHocs } from './engine/tokens/ad-hoc.ts'
import { StepFailure, type EngineRun, type Move } from './engine/tokens/engine-run.ts'
import { openScope, startsOf } from './engine/tokens/open-scope.ts'
import { openVariables, processScope, scopeAt } from './engine/tokens/variable-scopes.ts'
import { waitsOf } from './engine/tokens/waits.ts'
import type { Advance, Command, ElementScope, EngineHost, EngineState, OpenAdHoc, TaskResult } from './schema.ts'
import type { CompiledProcess } from './shapes/compiled-process.ts'
import type { Graph } from './shapes/graph.ts'

/** Starts a process and runs it until every token waits. `variables`: JSON. `at`: the start event that has occurred. */
export function startProcess(
  compiled: CompiledProcess,
  host: EngineHost,
  variables: Readonly<Record<string, unknown>> = {},
  at?: string,
): Promise<Advance> {
  const empty: StoredState = { v: 2, standing: [], reached: {}, variables }
  return step(compiled, host, empty, [], (run) => openScope(run, compiled.processId, '', at))
}

/**
 * Applies commands to a waiting process, one by one, and runs it until every token waits again. Does not change
 * `state`.
 */
export function advanceProcess(
  compiled: CompiledProcess,
  host: EngineHost,
  state: EngineState,
  commands: readonly Command[],
): Promise<Advance> {
  return step(compiled, host, state as StoredState, commands, async () => {})
}

/** What the expressions of each execution of a waiting process see. */
export function executionScopes(compiled: CompiledProcess, state: EngineState): (executionId: string) => ElementScope {
  const run = loadRun(compiled, noHost, state as StoredState)
  return (executionId) => {
    const token = run.tokens.get(executionId)
    return { elementId: token?.at ?? '', executionId, ...scopeAt(run, token) }
  }
}

/** The ad-hoc sub-processes of a waiting process in which more may begin. */
export const openAdHocsOf = (compiled: CompiledProcess, state: EngineState): readonly OpenAdHoc[] =>
  state === undefined ? [] : openAdHocs(loadRun(compiled, noHost, state as StoredState))

/** What may begin by request in the ad-hoc sub-processes of a process, by their ids. */
export function adHocActivities(compiled: CompiledProcess): ReadonlyMap<string, readonly string[]> {
  const graph = graphOf(compiled)
  const found = [...graph.nodes.values()].filter(({ adHoc }) => adHoc !== undefined)
  return new Map(found.map(({ id }) => [id, startsOf({ graph, elements }, id).map((node) => node.id)]))
}

/** Whether a waiting process catches an error of one of its executions. */
export function catchesError(
  compiled: CompiledProcess,
  state: EngineState,
  executionId: string,
  code: string,
): boolean {
  const run = loadRun(compiled, noHost, state as StoredState)
  const token = run.tokens.get(executionId)
  return token !== undefined && findCatcher(run, code, token.in, executionId) !== undefined
}

/** A waiting process that is changed without running: what `change` left to do, the next step does. Does not change `state`. */
export function changeTokens(
  compiled: CompiledProcess,
  state: EngineState,
  nowMs: number,
  change: (run: EngineRun) => void,
): Pick<Advance, 'state' | 'waits' | 'events' | 'variables'> {
  const run = loadRun(compiled, { ...noHost, now: () => nowMs }, state as StoredState)
  change(run)
  const variables = toJson(openVariables(run, processScope).variables)
  return { state: storedStateOf(run), waits: waitsOf(run), events: run.events, variables }
}

const notRunning = (): never => {
  throw new Error('a process that is only read was run')
}
const noHost: EngineHost = { now: notRunning, evaluate: notRunning, perform: notRunning }

async function step(
  compiled: CompiledProcess,
  host: EngineHost,
  state: StoredState,
  commands: readonly Command[],
  begin: (run: EngineRun) => Promise<void>,
): Promise<Advance> {
  const run = loadRun(compiled, host, state)
  const ignored: Command[] = []
  try {
    await begin(run)
    let isOver = await runMoves(run)
    for (const command of commands) {
      if (run.moves.length === 0) run.activationsInStep.clear()
      if (isOver || !(await applyCommand(run, command))) ignored.push(command)
      else isOver = await runMoves(run)
    }
    if (isOver) run.tokens.clear()
    const isUnfinished = !isOver && run.moves.length > 0
    return {
      status: isOver ? 'completed' : 'running',
      ...(isUnfinished && { isUnfinished }),
      state: storedStateOf(run),
      waits: waitsOf(run),
      events: run.events,
      thrown: toJson(run.thrown),
      calls: toJson(run.calls),
      escalated: run.escalated,
      ...(run.escaped && { escaped: run.escaped }),
      variables: toJson(openVariables(run, processScope).variables),
      ignored,
    }
  } catch (error) {
    if (!(error instanceof StepFailure)) throw error
    return {
      status: 'failed',
      state,
      waits: waitsOf(loadRun(compiled, host, state)),
      events: run.events,
      thrown: [],
      calls: [],
      escalated: [],
      variables: state.variables,
      ignored,
      failure: { ...(error.elementId !== undefined && { elementId: error.elementId }), message: error.message },
    }
  }
}

function loadRun(compiled: CompiledProcess, host: EngineHost, state: StoredState): EngineRun {
  const graph = graphOf(compiled)
  const { variables, tasks = {}, scopes = {}, moves = [], begun = {} } = state
  return {
    graph,
    elements,
    host,
    tokens: new Map(state.standing.map((each) => [each.id, each])),
    suspended: [...(state.parked ?? [])],
    completed: [...(state.completed ?? [])],
    moves: moves.flatMap((move) => loadMove(graph, move)),
    scopes: new Map(
      Object.entries({ ...scopes, [processScope]: { variables, tasks } }).map(([id, scope]) => [
        id,
        {
          variables: Object.assign(byName<unknown>(), toJson({ ...scope.variables })),
          tasks: Object.assign(byName<TaskResult>(), scope.tasks),
        },
      ]),
    ),
    ...(state.task && { task: state.task }),
    activationCounts: Object.assign(byName<number>(), state.reached),
    events: [],
    thrown: [],
    calls: [],
    escalated: [],
    activationsInStep: new Map(Object.entries(begun)),
  }
}

function loadMove(graph: Graph, move: StoredMove): Move[] {
  if (move.do === 'arrive') {
    const flow = graph.flows.get(move.flow)
    return flow === undefined ? [] : [{ ...move, flow }]
  }
  if (move.do !== 'enter') return [move]
  const node = graph.nodes.get(move.node)
  return node === undefined ? [] : [{ ...move, node }]
}

const storedMove = (move: Move): StoredMove =>
  move.do === 'arrive' ? { ...move, flow: move.flow.id } : move.do === 'enter' ? { ...move, node: move.node.id } : move

function storedStateOf(run: EngineRun): StoredState {
  const { variables, tasks } = openVariables(run, processScope)
  // A scope ends with its token.
  const inner = [...run.scopes].flatMap(([id, scope]) =>
    run.tokens.has(id)
      ? [[id, { variables: scope.variables, ...(hasMembers(scope.tasks) && { tasks: scope.tasks }) }] as const]
      : [],
  )
  return toJson({
    v: 2,
    standing: [...run.tokens.values()],
    ...(run.suspended.length > 0 && { parked: run.suspended }),
    ...(run.completed.length > 0 && { completed: run.completed }),
    ...(run.moves.length > 0 && {
      moves: run.moves.map(storedMove),
      begun: Object.fromEntries(run.activationsInStep),
    }),
    reached: run.activationCounts,
    variables,
    ...(hasMembers(tasks) && { tasks }),
    ...(inner.length > 0 && { scopes: Object.fromEntries(inner) }),
    ...(run.task && { task: run.task }),
  })
}

const hasMembers = (values: object): boolean => Object.keys(values).length > 0

/** Ensures that what a step returns equals what storage returns later. */
const toJson = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T

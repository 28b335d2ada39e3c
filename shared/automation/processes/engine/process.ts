import { byName } from '../../../kernel/collections/own-members.ts'
import type { CompiledProcess } from '../definition/compiled-process.ts'
import { elements } from '../elements/registry.ts'
import { runDefinition } from './model/definition.ts'
import { graphOf } from './model/read-graph.ts'
import type { Advance, Command, EngineHost, EngineState, Wait } from './schema.ts'
import { applyCommand } from './tokens/apply-command.ts'
import { StepFailure, type SuspendedToken, type EngineRun, type Token } from './tokens/engine-run.ts'
import { openScope } from './tokens/open-scope.ts'
import { runMoves } from './tokens/run-moves.ts'
import { waitsOf } from './tokens/waits.ts'

/** The stored state of a process between two steps. Members keep their names: instance rows contain them. */
interface StoredState {
  readonly v: 1
  readonly standing: readonly Token[]
  readonly parked?: readonly SuspendedToken[]
  readonly reached: Readonly<Record<string, number>>
  readonly variables: Readonly<Record<string, unknown>>
}

/** Starts a process and runs it until every token waits. `variables`: JSON. */
export function startProcess(
  compiled: CompiledProcess,
  host: EngineHost,
  variables: Readonly<Record<string, unknown>> = {},
): Promise<Advance> {
  const empty: StoredState = { v: 1, standing: [], reached: {}, variables }
  return step(compiled, host, empty, [], (run) => openScope(run, compiled.processId, ''))
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

/** What a waiting process waits for at an execution; undefined when it does not. */
export const waitAt = (compiled: CompiledProcess, state: EngineState, executionId: string): Wait | undefined =>
  waitsOf(loadRun(compiled, noHost, state as StoredState)).find((wait) => wait.executionId === executionId)

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
    const status = await runDefinition(compiled, async () => {
      await begin(run)
      let isOver = await runMoves(run)
      for (const command of commands) {
        run.activationsInStep.clear()
        if (isOver || !(await applyCommand(run, command))) ignored.push(command)
        else isOver = await runMoves(run)
      }
      return isOver
    })
    if (status === 'completed') run.tokens.clear()
    return {
      status,
      state: storedStateOf(run),
      waits: waitsOf(run),
      events: run.events,
      variables: toJson(run.variables),
      ignored,
    }
  } catch (error) {
    if (!(error instanceof StepFailure)) throw error
    return {
      status: 'failed',
      state,
      waits: waitsOf(loadRun(compiled, host, state)),
      events: run.events,
      variables: state.variables,
      ignored,
      failure: { ...(error.elementId !== undefined && { elementId: error.elementId }), message: error.message },
    }
  }
}

function loadRun(compiled: CompiledProcess, host: EngineHost, state: StoredState): EngineRun {
  return {
    graph: graphOf(compiled),
    elements,
    host,
    tokens: new Map(state.standing.map((each) => [each.id, each])),
    suspended: [...(state.parked ?? [])],
    moves: [],
    variables: toJson({ ...state.variables }),
    activationCounts: Object.assign(byName<number>(), state.reached),
    events: [],
    activationsInStep: new Map(),
  }
}

function storedStateOf(run: EngineRun): StoredState {
  return toJson({
    v: 1,
    standing: [...run.tokens.values()],
    ...(run.suspended.length > 0 && { parked: run.suspended }),
    reached: run.activationCounts,
    variables: run.variables,
  })
}

/** Ensures that what a step returns equals what storage returns later. */
const toJson = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T

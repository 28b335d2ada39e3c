import type { CompiledProcess } from '../definition/compiled-process.ts'
import { obey } from './commands.ts'
import { drain } from './drain.ts'
import { openScope } from './enter.ts'
import { runDefinition } from './model/definition.ts'
import { graphOf } from './model/graph.ts'
import { StepFailure, type Suspended, type Run, type TokenAt } from './run.ts'
import type { Advance, Command, EngineHost, EngineState } from './schema.ts'
import { waitsOf } from './waits.ts'

/** The state of a process between two steps, as it is stored. */
interface StoredState {
  readonly v: 1
  readonly standing: readonly TokenAt[]
  readonly parked?: readonly Suspended[]
  readonly reached: Readonly<Record<string, number>>
  readonly variables: Readonly<Record<string, unknown>>
}

/** Starts a process and moves it until everything waits. `variables`: JSON. */
export function startProcess(
  compiled: CompiledProcess,
  host: EngineHost,
  variables: Readonly<Record<string, unknown>> = {},
): Promise<Advance> {
  const nothing: StoredState = { v: 1, standing: [], reached: {}, variables }
  return step(compiled, host, nothing, [], (run) => openScope(run, compiled.processId, ''))
}

/** Lets commands happen to a waiting process, one after the other, and moves it until everything waits again. `state` is left as it is. */
export function advanceProcess(
  compiled: CompiledProcess,
  host: EngineHost,
  state: EngineState,
  commands: readonly Command[],
): Promise<Advance> {
  return step(compiled, host, state as StoredState, commands, async () => {})
}

async function step(
  compiled: CompiledProcess,
  host: EngineHost,
  state: StoredState,
  commands: readonly Command[],
  begin: (run: Run) => Promise<void>,
): Promise<Advance> {
  const run = resume(compiled, host, state)
  const ignored: Command[] = []
  try {
    const status = await runDefinition(compiled, async () => {
      await begin(run)
      let isOver = await drain(run)
      for (const command of commands) {
        run.inStep.clear()
        if (isOver || !(await obey(run, command))) ignored.push(command)
        else isOver = await drain(run)
      }
      return isOver
    })
    if (status === 'completed') run.standing.clear()
    return {
      status,
      state: store(run),
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
      waits: waitsOf(resume(compiled, host, state)),
      events: run.events,
      variables: state.variables,
      ignored,
      failure: { ...(error.elementId !== undefined && { elementId: error.elementId }), message: error.message },
    }
  }
}

function resume(compiled: CompiledProcess, host: EngineHost, state: StoredState): Run {
  return {
    graph: graphOf(compiled),
    host,
    standing: new Map(state.standing.map((each) => [each.id, each])),
    parked: [...(state.parked ?? [])],
    moves: [],
    variables: toJson({ ...state.variables }),
    reached: { ...state.reached },
    events: [],
    inStep: new Map(),
  }
}

function store(run: Run): StoredState {
  return toJson({
    v: 1,
    standing: [...run.standing.values()],
    ...(run.parked.length > 0 && { parked: run.parked }),
    reached: run.reached,
    variables: run.variables,
  })
}

/** Kept or read back from storage, it must be the same. */
const toJson = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T

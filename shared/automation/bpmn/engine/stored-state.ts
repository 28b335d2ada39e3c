import type { CompletedTask, EngineState, TaskResult } from '../schema.ts'
import type { CompletedActivity, RaisedError, SuspendedToken, Token } from './tokens/engine-run.ts'

/** The stored state of a process between two steps. Members keep their names: instance rows contain them. */
export interface StoredState {
  readonly v: 2
  readonly standing: readonly Token[]
  readonly parked?: readonly SuspendedToken[]
  /** What may be compensated. */
  readonly completed?: readonly CompletedActivity[]
  /** What a step that took too long left to the next one. */
  readonly moves?: readonly StoredMove[]
  /** How often each element was activated since the last command, when there are such moves. */
  readonly begun?: Readonly<Record<string, number>>
  readonly reached: Readonly<Record<string, number>>
  readonly variables: Readonly<Record<string, unknown>>
  /** The tasks that were completed in the process itself, by their elements. */
  readonly tasks?: Readonly<Record<string, TaskResult>>
  /** The variables of sub-processes, passes of loops and tasks, by the ids of their tokens. */
  readonly scopes?: Readonly<Record<string, StoredScope>>
  /** The last completed task of an instance that was stored before tokens had theirs. */
  readonly task?: CompletedTask
}

export interface StoredScope {
  readonly variables: Readonly<Record<string, unknown>>
  readonly tasks?: Readonly<Record<string, TaskResult>>
}

/** A pending move, with nodes and flows by their ids. */
export type StoredMove =
  | { readonly do: 'arrive'; readonly flow: string; readonly in: string; readonly task?: CompletedTask }
  | {
      readonly do: 'enter'
      readonly node: string
      readonly in: string
      readonly gate?: string
      readonly task?: CompletedTask
    }
  | { readonly do: 'arm'; readonly event: string; readonly for: string }
  | { readonly do: 'into'; readonly path: readonly string[]; readonly in: string; readonly task?: CompletedTask }
  | { readonly do: 'iterate'; readonly id: string; readonly index: number }
  | { readonly do: 'finish'; readonly id: string }
  | { readonly do: 'perform'; readonly id: string }
  | { readonly do: 'raise'; readonly error: RaisedError; readonly in: string; readonly id?: string }
  | { readonly do: 'compensate'; readonly id: string }

/** A state as it is stored now. Version 1 knew one completed task for the whole instance, and no inner scopes. */
export function upgradeState(stored: EngineState, lastTask: CompletedTask | null): EngineState {
  const state = stored as (Omit<StoredState, 'v'> & { readonly v: number }) | undefined
  if (state === undefined || state.v !== 1) return stored
  if (lastTask === null) return { ...state, v: 2 }
  const { element_id, outcome, completed_by } = lastTask
  return { ...state, v: 2, task: lastTask, tasks: { [element_id]: { outcome, completed_by, data: {} } } }
}

/** The running sub-processes around an execution, outermost first. */
export function scopesAround(
  state: EngineState,
  executionId: string,
): { readonly elementId: string; readonly executionId: string }[] {
  const { standing = [] } = (state ?? {}) as Partial<StoredState>
  const tokens = new Map(standing.map((token) => [token.id, token]))
  const around: { elementId: string; executionId: string }[] = []
  for (let at = tokens.get(tokens.get(executionId)?.in ?? ''); at !== undefined; at = tokens.get(at.in))
    around.unshift({ elementId: at.at, executionId: at.id })
  return around
}

/** The variables of a state that belong to sub-processes, passes of loops and tasks. */
export function innerScopes(
  state: EngineState,
): { readonly executionId: string; readonly elementId: string; readonly variables: StoredScope['variables'] }[] {
  const { scopes = {}, standing = [] } = (state ?? {}) as Partial<StoredState>
  const elements = new Map(standing.map(({ id, at }) => [id, at]))
  return Object.entries(scopes)
    .filter(([, { variables }]) => Object.keys(variables).length > 0)
    .map(([executionId, { variables }]) => ({ executionId, elementId: elements.get(executionId) ?? '', variables }))
}

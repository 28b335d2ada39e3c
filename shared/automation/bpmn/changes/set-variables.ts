import { byName } from '../../../kernel/collections/own-members.ts'
import type { StoredState } from '../engine/stored-state.ts'
import type { EngineState } from '../schema.ts'

type Variables = Readonly<Record<string, unknown>>

/** Sets and removes variables. */
export const changedVariables = (variables: Variables, set: Variables, remove: readonly string[]): Variables =>
  Object.assign(
    byName(),
    Object.fromEntries(Object.entries(variables).filter(([name]) => !remove.includes(name))),
    set,
  ) as Variables

/** A waiting process with other variables of the process itself. Conditions notice it in the next step. */
export function setProcessVariables(
  state: EngineState,
  set: Variables,
  remove: readonly string[],
): { readonly state: EngineState; readonly variables: Variables } {
  const stored = state as StoredState
  const variables = { ...changedVariables(stored.variables, set, remove) }
  return { state: { ...stored, variables }, variables }
}

import {
  maxKeptDecisionCharacters,
  maxKeptDecisionItems,
  maxKeptDecisionsOfStep,
} from '../../../kernel/limits/processes.ts'
import type { Decided } from '../../decisions/evaluate/decide.ts'
import type { DecisionOutcome, InputSource } from '../rows/decision-outcome.ts'

/** Collects what the history keeps of the decisions of one step. */
export interface KeptDecisions {
  readonly outcomes: readonly DecisionOutcome[]
  keep(executionId: string, decided: Decided, sources: ReadonlyMap<string, InputSource>): void
}

/** Keeps decisions within bounds: long values are cut, and those of a step that evaluates very many are left out. */
export function keptDecisions(): KeptDecisions {
  const outcomes: DecisionOutcome[] = []
  let left = maxKeptDecisionsOfStep
  return {
    outcomes,
    keep(executionId, decided, sources) {
      const whole = outcomeOf(executionId, decided, sources)
      left -= JSON.stringify(whole).length
      const kept = left >= 0 ? whole : withoutValues(whole)
      outcomes.push(kept)
    },
  }
}

function outcomeOf(
  executionId: string,
  { decision, given, result, rules, required }: Decided,
  sources: ReadonlyMap<string, InputSource>,
): DecisionOutcome {
  const names = Object.keys(given)
  const inputs = names.slice(0, maxKeptDecisionItems).map((name) => ({ name, ...cut(given[name]) }))
  const answer = cut(result)
  const isShortened =
    answer.isCut === true ||
    inputs.some(({ isCut }) => isCut) ||
    [names, rules, required, ...required.map((one) => one.rules)].some(({ length }) => length > maxKeptDecisionItems)
  return {
    execution_id: executionId,
    ...decision,
    inputs: inputs.map(({ name, value }) => ({ name, value, from: sources.get(name) ?? 'other' })),
    rules: rules.slice(0, maxKeptDecisionItems),
    matched: rules.length,
    result: answer.value,
    ...(required.length > 0 && {
      required: required
        .slice(0, maxKeptDecisionItems)
        .map((one) => ({ id: one.id, rules: one.rules.slice(0, maxKeptDecisionItems) })),
    }),
    ...(isShortened && { is_shortened: true as const }),
  }
}

/** A value as JSON keeps it; a long one as the beginning of its text. */
function cut(value: unknown): { readonly value: unknown; readonly isCut?: true } {
  const text = JSON.stringify(value) as string | undefined
  if (text === undefined) return { value: null }
  if (text.length <= maxKeptDecisionCharacters) return { value }
  const from = typeof value === 'string' ? value : text
  return { value: `${from.slice(0, maxKeptDecisionCharacters).toWellFormed()}…`, isCut: true }
}

/** Which decision answered by which rule: what is always kept. */
const withoutValues = ({ required: _, ...outcome }: DecisionOutcome): DecisionOutcome => ({
  ...outcome,
  inputs: [],
  rules: outcome.rules.slice(0, 1),
  result: null,
  is_shortened: true,
})

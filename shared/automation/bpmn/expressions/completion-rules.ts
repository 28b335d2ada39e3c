import type { CompletionRule, FieldCondition } from '../shapes/compiled-process.ts'
import { compareToText, equalsText, isEmpty, isSame } from './compare-values.ts'

/**
 * A record at one version. `before`: its data at the previous version; undefined when a task has just become pending.
 */
export interface RecordState {
  readonly data: Readonly<Record<string, unknown>>
  readonly before?: Readonly<Record<string, unknown>>
}

export type RulesMet =
  /** `isOpen`: the fields do not decide, an expression does; call `evaluateRules`. */
  { readonly met: false; readonly isOpen?: true } | { readonly met: true; readonly outcome?: string }

/**
 * Whether a record completes a pending task, judged by its fields. The first rule that is met gives the outcome; a rule
 * that depends on its expression ends the search with `isOpen`. Without rules: not met.
 */
export function meetsRules(rules: readonly CompletionRule[], state: RecordState): RulesMet {
  for (const rule of rules) {
    const met = meetsFieldConditions(rule, state)
    if (met === undefined) return { met: false, isOpen: true }
    if (met) return metWith(rule)
  }
  return { met: false }
}

/**
 * The same including expressions. `evaluateExpression` gets the JavaScript of a rule that the fields do not decide; any
 * truthy value meets the rule. Its errors are passed on.
 */
export async function evaluateRules(
  rules: readonly CompletionRule[],
  state: RecordState,
  evaluateExpression: (source: string) => Promise<unknown>,
): Promise<RulesMet> {
  for (const rule of rules) {
    const met = meetsFieldConditions(rule, state) ?? Boolean(await evaluateExpression(rule.expression ?? ''))
    if (met) return metWith(rule)
  }
  return { met: false }
}

const metWith = ({ outcome }: CompletionRule): RulesMet =>
  outcome === undefined ? { met: true } : { met: true, outcome }

/** Undefined: the rule's expression decides. A rule without conditions is never met. */
function meetsFieldConditions(
  { match, conditions, groups, expression }: CompletionRule,
  state: RecordState,
): boolean | undefined {
  const known = [
    ...conditions.map((condition) => holds(condition, state)),
    ...groups.map((group) =>
      matches(
        group.match,
        group.conditions.map((condition) => holds(condition, state)),
      ),
    ),
  ]
  if (expression === undefined) return matches(match, known)
  const isDecided = match === 'all' ? known.includes(false) : known.includes(true)
  return isDecided ? match === 'any' : undefined
}

const matches = (match: 'all' | 'any', held: readonly boolean[]): boolean =>
  match === 'all' ? held.length > 0 && !held.includes(false) : held.includes(true)

/**
 * Whether one condition holds. Values are compared in the type of the record's value (`equalsText`, `compareToText`).
 * - `eq`, `in`: equals one of the values; '' means empty. `ne`, `notIn`: equals none of them, so an empty field holds.
 * - `gt`, `gte`, `lt`, `lte`, `contains`, `startsWith`: never hold for an empty field or a value of another type.
 *   `contains`: part of a text, or one path of a list of files.
 * - `changes`: differs from the previous version; `changesTo`: and now equals one of the values; `changesFrom`: and did
 *   before. None of the three holds when a task becomes pending.
 */
export function holds({ field, op, values }: FieldCondition, { data, before }: RecordState): boolean {
  const value = valueOf(data, field)
  const [text = ''] = values
  const order = (): number | undefined => compareToText(value, text)
  switch (op) {
    case 'eq':
    case 'in':
      return values.some((wanted) => equalsText(value, wanted))
    case 'ne':
    case 'notIn':
      return !values.some((wanted) => equalsText(value, wanted))
    case 'gt':
      return order() === 1
    case 'gte':
      return order() === 1 || order() === 0
    case 'lt':
      return order() === -1
    case 'lte':
      return order() === -1 || order() === 0
    case 'empty':
      return isEmpty(value)
    case 'notEmpty':
      return !isEmpty(value)
    case 'contains':
      return Array.isArray(value)
        ? value.some((item) => equalsText(item, text))
        : typeof value === 'string' && value !== '' && value.includes(text)
    case 'startsWith':
      return typeof value === 'string' && value !== '' && value.startsWith(text)
    case 'changes':
    case 'changesTo':
    case 'changesFrom': {
      if (before === undefined) return false
      const former = valueOf(before, field)
      if (isSame(value, former)) return false
      return op === 'changes' || values.some((wanted) => equalsText(op === 'changesTo' ? value : former, wanted))
    }
  }
}

/** Own members only: a field may be called `constructor`. */
const valueOf = (data: Readonly<Record<string, unknown>>, field: string): unknown =>
  Object.hasOwn(data, field) ? data[field] : undefined

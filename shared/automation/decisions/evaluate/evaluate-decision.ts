import { byName } from '../../../kernel/collections/own-members.ts'
import { Fault, Invalid } from '../../../kernel/failures/faults.ts'
import { maxDecisionMs, maxDecisionResultBytes } from '../../../kernel/limits/decisions.ts'
import { shown } from '../../../kernel/text/did-you-mean.ts'
import type { Feel } from '../../../tables/formulas/service.ts'
import type {
  DecisionModel,
  DecisionNode,
  DecisionTable,
  InputColumn,
  OutputColumn,
  Rule,
  TestCell,
} from '../definition/model.ts'
import { applyHitPolicy, type Hit, ruleName } from './hit-policies.ts'
import type { PreparedCells } from './prepare-cells.ts'

type Values = Readonly<Record<string, unknown>>

/** What a decision answers, and by which rules. */
export interface DecisionResult {
  readonly result: unknown
  readonly rules: readonly string[]
  /** Those that it required, in the order of their evaluation. */
  readonly required: readonly { readonly id: string; readonly result: unknown; readonly rules: readonly string[] }[]
}

/** A decision of a document that stopped, with the rule at which it did. */
const failed = (message: string): Fault => new Fault('validation_failed', message)

/** An input that is wrong, by the name under which it was given. */
const wrongInput = (name: string, message: string, options?: ErrorOptions): Invalid =>
  new Invalid({ [name]: [message] }, { message, ...options })

/** Names the input from which a value comes that is refused. */
function forInput<T>(name: string, act: () => T): T {
  try {
    return act()
  } catch (cause) {
    throw cause instanceof Fault && !(cause instanceof Invalid) ? wrongInput(name, cause.message, { cause }) : cause
  }
}

interface Evaluation {
  readonly feel: Feel
  readonly cells: PreparedCells
  readonly now: () => number
  /** Begins every message. */
  readonly called: string
  /** What the decision was given, by its names in expressions. */
  readonly names?: ReadonlyMap<string, string>
}

/**
 * Evaluates a decision. `given`: the inputs by their names; those that are left out are null. Throws Fault, naming the
 * decision and the rule, for a value of another type, for rules that may not match together, and when it takes too long.
 */
export function evaluateDecision(model: DecisionModel, given: Values, evaluation: Evaluation): DecisionResult {
  const { feel, called, now } = evaluation
  const endsAt = now() + maxDecisionMs
  const scope: Record<string, unknown> = byName()
  const names = new Map<string, string>()
  for (const { name, as, type, allowed } of model.inputs) {
    const value = forInput(name, () =>
      typed(feel, type, Object.hasOwn(given, name) ? given[name] : null, `${called}: the input ${name}`),
    )
    if (allowed && !isAllowed(allowed, value, scope, evaluation))
      throw wrongInput(
        name,
        `${called}: the input ${name} is ${written(feel, value)}, and only ${shown(allowed.text)} is allowed.`,
      )
    scope[as] = value
    names.set(as, name)
    names.set(name, name)
  }
  const results: { id: string; result: unknown; rules: readonly string[] }[] = []
  for (const node of model.decisions) {
    const where = model.decisions.length > 1 ? `${called}, ${node.name}` : called
    const { value, rules } = evaluateNode(node, scope, { ...evaluation, called: where, names }, endsAt)
    scope[node.as] = value
    results.push({ id: node.id, result: feel.plain(value), rules })
  }
  const last = results.pop() ?? { id: '', result: null, rules: [] }
  if (Buffer.byteLength(JSON.stringify(last.result)) > maxDecisionResultBytes)
    throw failed(`${called}: the result is larger than ${maxDecisionResultBytes / 1024} KB.`)
  return { result: last.result, rules: last.rules, required: results }
}

function evaluateNode(
  node: DecisionNode,
  scope: Values,
  evaluation: Evaluation,
  endsAt: number,
): { readonly value: unknown; readonly rules: readonly string[] } {
  const { feel, cells, called } = evaluation
  if (node.logic.is === 'table') return evaluateTable(node.logic, scope, evaluation, endsAt)
  const value = cells.value(node.logic.value, scope)
  return { value: typed(feel, node.type, value, `${called}: the result`), rules: [] }
}

function evaluateTable(table: DecisionTable, scope: Values, evaluation: Evaluation, endsAt: number) {
  const { feel, cells, called, now } = evaluation
  const inputs = table.inputs.map((column) => {
    const name = evaluation.names?.get(column.value.text.trim())
    return name === undefined ? inputOf(column) : forInput(name, () => inputOf(column))
  })
  function inputOf({ label, value, type, isWhole, allowed }: InputColumn): unknown {
    const where = `${called}: the input ${label}`
    const made = typed(feel, type, cells.value(value, scope), where)
    if (isWhole && typeof made === 'number' && !Number.isInteger(made))
      throw failed(`${where} is ${made}, and must be a whole number.`)
    if (allowed && !isAllowed(allowed, made, scope, evaluation))
      throw failed(`${where} is ${written(feel, made)}, and only ${shown(allowed.text)} is allowed.`)
    return made
  }
  const hits: Hit[] = []
  for (const [index, rule] of table.rules.entries()) {
    if (now() > endsAt) throw failed(`${called} was stopped at ${ruleName(rule, index)} after ${maxDecisionMs} ms.`)
    const matches = rule.when.every((cell, at) => cell === null || cells.passes(cell, inputs[at], scope))
    if (!matches) continue
    hits.push({ rule, index, value: outputsOf(table, rule, index, scope, evaluation) })
    if (table.hitPolicy === 'FIRST') break
  }
  const fallback = defaultOf(table, scope, evaluation)
  const applied = applyHitPolicy(table, hits, fallback, (value) => JSON.stringify(feel.plain(value)))
  if ('problem' in applied) throw failed(`${called}: ${applied.problem}`)
  return { value: applied.value, rules: applied.hits.map(({ rule }) => rule.id) }
}

/** What a rule answers: the value of its only output, or all of them by their names. */
function outputsOf({ outputs }: DecisionTable, rule: Rule, index: number, scope: Values, evaluation: Evaluation) {
  const { cells, called } = evaluation
  return joined(outputs, (column, at) => {
    const cell = rule.answers[at]
    const where = `${called}, ${ruleName(rule, index)}: the output ${column.label}`
    return output(column, cell === undefined ? null : cells.value(cell, scope), where, scope, evaluation)
  })
}

/** What is answered when no rule matches; undefined: the table does not say. */
function defaultOf({ outputs }: DecisionTable, scope: Values, evaluation: Evaluation): unknown {
  if (outputs.every((column) => column.default === undefined)) return undefined
  return joined(outputs, (column) => {
    const where = `${evaluation.called}: the default of the output ${column.label}`
    return column.default === undefined
      ? null
      : output(column, evaluation.cells.value(column.default, scope), where, scope, evaluation)
  })
}

const joined = (outputs: readonly OutputColumn[], valueOf: (column: OutputColumn, at: number) => unknown): unknown =>
  outputs.length === 1 && outputs[0]
    ? valueOf(outputs[0], 0)
    : Object.fromEntries(outputs.map((column, at) => [column.name ?? String(at + 1), valueOf(column, at)]))

function output(column: OutputColumn, value: unknown, where: string, scope: Values, evaluation: Evaluation): unknown {
  const made = typed(evaluation.feel, column.type, value, where)
  if (column.allowed && !isAllowed(column.allowed, made, scope, evaluation))
    throw failed(`${where} is ${written(evaluation.feel, made)}, and only ${shown(column.allowed.text)} is allowed.`)
  return made
}

/** Nothing is known of null, so it is allowed. */
const isAllowed = (allowed: TestCell, value: unknown, scope: Values, { cells }: Evaluation): boolean =>
  value === null || cells.passes(allowed, value, scope)

function typed(feel: Feel, type: DecisionNode['type'], value: unknown, where: string): unknown {
  const made = feel.typedValue(type, value)
  if (made === undefined) throw failed(`${where} is ${written(feel, value)}, and must be a ${type}.`)
  return made
}

const written = (feel: Feel, value: unknown): string => shown(JSON.stringify(feel.plain(value)) ?? 'nothing')

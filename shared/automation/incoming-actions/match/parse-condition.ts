import {
  maxConditionDepth,
  maxConditionTests,
  maxConditionTextCharacters,
  maxConditionValues,
} from '../../../kernel/limits/incoming.ts'
import { columnTest, type Predicate } from '../../../lists/columns/predicate.ts'
import type { Scalar } from '../../../lists/columns/scalar.ts'
import { type Operator, operators } from '../../../lists/query/grammar/operators.ts'
import { readMoment } from '../../../lists/query/grammar/variables.ts'
import type { ErrorList } from '../../../tables/tables/error-list.ts'
import { readInstant } from './instant.ts'
import { type MessageDocument, pathProblem, valuesAt } from './message-path.ts'
import { readNumber } from './read-number.ts'

/** Whether a message matches. */
export type MessageTest = (message: MessageDocument) => boolean
export interface ConditionVariables {
  readonly nowMs: number
  /** IANA name of the tenant's time zone, in which its days begin. */
  readonly timeZone: string
}

export interface ParsedCondition {
  readonly matches: MessageTest
  /** The paths that it names. */
  readonly paths: ReadonlySet<string>
}

/** How a value of the condition compares: a value of the message that cannot be read as this kind does not match. */
type Kind = 'number' | 'boolean' | 'time' | 'text'
interface Operand {
  readonly kind: Kind
  readonly value: Scalar
}

/**
 * Parses the condition of a rule: the filter grammar of lists (contract §3), with paths into the message in place of
 * fields, also nested (`{ "payload": { "chat": { "type": "private" } } }`). Two-valued: a path without a value fails
 * every test but the negated ones. Errors are added to `list` by path.
 */
export function parseCondition(
  condition: unknown,
  variables: ConditionVariables,
  list: ErrorList,
  path = 'condition',
): ParsedCondition {
  const paths = new Set<string>()
  let tests = 0
  if (condition === undefined || condition === null) return { matches: always, paths }
  return { matches: parseGroup(condition, path, 1), paths }

  function parseGroup(group: unknown, at: string, depth: number): MessageTest {
    if (!isObject(group)) return wrong(at, `The ${at} must be an object.`)
    if (depth > maxConditionDepth) return wrong(at, `The condition is nested deeper than ${maxConditionDepth} levels.`)
    return every(Object.entries(group).map(([key, value]) => parseMember(key, value, `${at}.${key}`, depth)))
  }

  function parseMember(key: string, value: unknown, at: string, depth: number): MessageTest {
    if (key === '_and' || key === '_or') {
      if (!Array.isArray(value)) return wrong(at, `The ${at} must be an array.`)
      const parts = value.map((part, index) => parseGroup(part, `${at}.${index}`, depth + 1))
      return key === '_and' ? every(parts) : (message) => parts.some((part) => part(message))
    }
    if (key === '_not') return not(parseGroup(value, at, depth + 1))
    if (key.startsWith('_'))
      return wrong(
        at,
        operators.has(key)
          ? `The operator ${key} belongs to a path: write it inside the path's object.`
          : `There is no operator ${key}.`,
      )
    return parseTests(key, value, at, depth)
  }

  function parseTests(name: string, value: unknown, at: string, depth: number): MessageTest {
    const problem = pathProblem(name)
    if (problem !== undefined) return wrong(at, problem)
    if (depth > maxConditionDepth) return wrong(at, `The condition is nested deeper than ${maxConditionDepth} levels.`)
    if (isObject(value))
      return every(
        Object.entries(value).map(([key, operand]) =>
          key.startsWith('_')
            ? parseTest(name, key, operand, `${at}.${key}`)
            : parseTests(`${name}.${key}`, operand, `${at}.${key}`, depth + 1),
        ),
      )
    return parseTest(name, Array.isArray(value) ? '_in' : '_eq', value, at)
  }

  function parseTest(name: string, key: string, operand: unknown, at: string): MessageTest {
    const operator = operators.get(key)
    if (!operator) return wrong(at, `There is no operator ${key}.`)
    tests += 1
    if (tests > maxConditionTests)
      return tests === maxConditionTests + 1 ? wrong(at, `A condition may have ${maxConditionTests} tests.`) : always
    paths.add(name)
    if (operand === null && (key === '_eq' || key === '_neq'))
      return key === '_eq' ? not(hasValue(name)) : hasValue(name)
    const found = parseOperand(operator, operand, at)
    if (found === undefined) return always
    const test: MessageTest = (message) => valuesAt(message, name).some(found.passes)
    return operator.negates === found.turned ? test : not(test)
  }

  /** The test of one value; `turned`: `false` was given to an operator that takes true or false. */
  function parseOperand(
    operator: Operator,
    operand: unknown,
    at: string,
  ): { readonly passes: (value: unknown) => boolean; readonly turned?: true } | undefined {
    switch (operator.operand) {
      case 'flag': {
        if (typeof operand !== 'boolean') return refuse(at, `The ${at} must be true or false.`)
        const { passes } = columnTest(operator.predicate(undefined as never))
        // An object or a list that is not empty has a value as well.
        const filled = (value: unknown) =>
          isPresent(value) && passes(typeof value === 'object' ? true : (value as Scalar))
        return { passes: filled, ...(!operand && { turned: true as const }) }
      }
      case 'values': {
        if (!Array.isArray(operand)) return refuse(at, `The ${at} must be an array.`)
        if (operand.length > maxConditionValues)
          return refuse(at, `The ${at} may not have more than ${maxConditionValues} items.`)
        const parsed = operand.map((one, index) => parseOne(one, `${at}.${index}`))
        if (!parsed.every((one) => one !== undefined)) return undefined
        const equal = parsed.map((one) => comparison(one, { op: 'equals', value: one.value }))
        return { passes: (value) => equal.some((passes) => passes(value)) }
      }
      case 'pair': {
        if (!Array.isArray(operand) || operand.length !== 2) return refuse(at, `The ${at} must hold two values.`)
        const [from, to] = operand.map((one, index) => parseOne(one, `${at}.${index}`))
        if (!from || !to) return undefined
        if (from.kind !== to.kind) return refuse(at, `The two values of ${at} must be of one kind.`)
        return { passes: comparison(from, { op: 'between', from: from.value, to: to.value }) }
      }
      case 'text': {
        if (typeof operand !== 'string') return refuse(at, `The ${at} must be a string.`)
        const parsed = parseOne(operand, at, true)
        return parsed && { passes: comparison(parsed, operator.predicate(operand as never)) }
      }
      case 'value': {
        const parsed = parseOne(operand, at)
        const predicate = parsed && operator.predicate(parsed.value as never)
        return predicate && { passes: comparison(parsed, predicate) }
      }
    }
  }

  function parseOne(given: unknown, at: string, isText = false): Operand | undefined {
    if (typeof given === 'number' && Number.isFinite(given)) return { kind: 'number', value: given }
    if (typeof given === 'boolean') return { kind: 'boolean', value: given }
    if (typeof given !== 'string') return refuse(at, `The ${at} must be a string, a number, true or false.`)
    if (given.length > maxConditionTextCharacters)
      return refuse(at, `The ${at} may not be longer than ${maxConditionTextCharacters} characters.`)
    if (given.startsWith('$CURRENT_')) return refuse(at, `The ${at} uses ${given}, and a message has no current user.`)
    if (isText) return { kind: 'text', value: given }
    const moment = readMoment(given, 'datetime', { ...variables, orgUnitIds: [] }) ?? readInstant(given)
    return moment === undefined ? { kind: 'text', value: given } : { kind: 'time', value: moment }
  }

  function refuse(at: string, message: string): undefined {
    list.add(at, message)
  }

  function wrong(at: string, message: string): MessageTest {
    refuse(at, message)
    return always
  }
}

const always: MessageTest = () => true
const not =
  (test: MessageTest): MessageTest =>
  (message) =>
    !test(message)
const every =
  (parts: readonly MessageTest[]): MessageTest =>
  (message) =>
    parts.every((part) => part(message))
const hasValue =
  (name: string): MessageTest =>
  (message) =>
    valuesAt(message, name).some(isPresent)
const isPresent = (value: unknown): boolean => value !== undefined && value !== null
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function comparison({ kind }: Operand, predicate: Predicate): (value: unknown) => boolean {
  const { passes } = columnTest(predicate)
  return (value) => {
    const read = readAs(kind, value)
    return read !== undefined && passes(read)
  }
}

/** A value of the message as a kind. */
function readAs(kind: Kind, value: unknown): Scalar | undefined {
  switch (kind) {
    case 'number':
      return typeof value === 'number' ? value : typeof value === 'string' ? readNumber(value) : undefined
    case 'boolean':
      return typeof value === 'boolean' ? value : undefined
    case 'time':
      return readInstant(value)
    case 'text':
      return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : undefined
  }
}

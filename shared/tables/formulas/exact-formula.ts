import { parseExpression } from 'feelin'
import { defaultDecimalScale, maxDecimalScale } from '../../kernel/limits/tables.ts'
import { shown } from '../../kernel/text/did-you-mean.ts'
import { checkValue, typeOfField } from '../field-types/read-field.ts'
import type { Field } from '../field-types/schema.ts'
import {
  by,
  compareExact,
  type Exact,
  exactOf,
  minus,
  negated,
  plus,
  rounded,
  type roundings,
  textOfExact,
  times,
  whole,
} from './exact-number.ts'

/*
 * FEEL calculates in decimals, and feelin in binary numbers, which are not exact. A formula whose result is a decimal is
 * evaluated here: the part of FEEL that amounts are calculated with, in fractions (docs/decisions/0098).
 */

type Node = ReturnType<typeof parseExpression>['topNode']
type Value = Exact | string | boolean | null
type Scope = Readonly<Record<string, unknown>>
type ValueType = 'number' | 'text' | 'boolean' | 'nothing'

/** A part of a formula: of which type its value is, and what it is for a record. */
interface Part {
  readonly type: ValueType
  readonly of: (data: Scope) => Value
}

type Fields = ReadonlyMap<string, Field>

/** The value of a computed field for the data of a record; null when its formula has none. */
export type Compute = (data: Scope) => unknown

const available =
  'a decimal result takes + - * /, comparisons, in, between, and, or, not, if, and the functions min, max, sum, mean, product, abs, decimal, floor, ceiling and round up, down, half up, half down.'

/** Why a formula cannot have an exact decimal as its result; empty when it can. It was inspected before. */
export function exactProblems(formula: string, fields: Fields): readonly string[] {
  return compile(formula, fields).problems
}

/** Compiles a formula whose result is a decimal, which was checked when it was saved. */
export function compileExact(field: Field & { readonly type: 'computed' }, fields: Fields): Compute {
  const { part, problems } = compile(field.formula ?? '', fields)
  if (!part || problems.length > 0) return () => null
  const { scale = defaultDecimalScale } = field
  return (data) => {
    try {
      const value = part.of(data)
      if (!isNumber(value)) return null
      const checked = checkValue(field, textOfExact(value, scale))
      return 'value' in checked ? checked.value : null
    } catch {
      // There is no number by zero, and none that is longer than any amount.
      return null
    }
  }
}

const isNumber = (value: Value): value is Exact => typeof value === 'object' && value !== null

/** Functions that round, and by which rule; the digits are those of their second argument, if one may be left out 0. */
const roundingFunctions: ReadonlyMap<string, { readonly as: keyof typeof roundings; readonly mayOmit?: true }> =
  new Map([
    ['decimal', { as: 'half even' }],
    ['round half up', { as: 'half up' }],
    ['round half down', { as: 'half down' }],
    ['round up', { as: 'up' }],
    ['round down', { as: 'down' }],
    ['floor', { as: 'floor', mayOmit: true }],
    ['ceiling', { as: 'ceiling', mayOmit: true }],
  ])

const listFunctions: ReadonlyMap<string, (numbers: readonly [Exact, ...Exact[]]) => Exact> = new Map([
  ['min', (numbers) => numbers.reduce((least, one) => (compareExact(one, least) < 0 ? one : least))],
  ['max', (numbers) => numbers.reduce((most, one) => (compareExact(one, most) > 0 ? one : most))],
  ['sum', (numbers) => numbers.reduce(plus)],
  ['product', (numbers) => numbers.reduce(times)],
  ['mean', (numbers) => by(numbers.reduce(plus), whole(numbers.length))],
])

const arithmetic: ReadonlyMap<string, (a: Exact, b: Exact) => Exact> = new Map([
  ['+', plus],
  ['-', minus],
  ['*', times],
  ['/', by],
])

const comparing: ReadonlyMap<string, (order: number) => boolean> = new Map([
  ['<', (order) => order < 0],
  ['<=', (order) => order <= 0],
  ['>', (order) => order > 0],
  ['>=', (order) => order >= 0],
])

const signs: ReadonlySet<string> = new Set(['(', ')', ',', '[', ']', 'LineComment', 'BlockComment'])

function compile(formula: string, fields: Fields): { readonly part?: Part; readonly problems: readonly string[] } {
  const problems: string[] = []
  const textOf = ({ from, to }: Node): string => formula.slice(from, to).replaceAll(/\s+/g, ' ')
  const nothing: Part = { type: 'nothing', of: () => null }

  const part = read(parseExpression(formula, {}, undefined).topNode)
  if (problems.length === 0 && part.type !== 'number')
    problems.push(`The formula is a ${part.type === 'nothing' ? 'null' : part.type}, and its result a decimal.`)
  return { part, problems }

  function refuse(node: Node): Part {
    problems.push(`${shown(textOf(node))} is not available here: ${available}`)
    return nothing
  }

  function partsOf(node: Node): Node[] {
    const parts: Node[] = []
    for (let one = node.firstChild; one; one = one.nextSibling) if (!signs.has(one.name)) parts.push(one)
    return parts
  }

  function read(node: Node): Part {
    const parts = partsOf(node)
    switch (node.name) {
      case 'Expression':
      case 'ParenthesizedExpression':
      case 'PositiveUnaryTest':
        return parts.length === 1 && parts[0] ? read(parts[0]) : refuse(node)
      case 'NumericLiteral':
        return literal(node)
      case 'StringLiteral':
        return textLiteral(node)
      case 'BooleanLiteral':
        return { type: 'boolean', of: () => textOf(node) === 'true' }
      case 'null':
        return nothing
      case 'VariableName':
        return field(node)
      case 'ArithmeticExpression':
        return calculation(node, parts)
      case 'Comparison':
        return comparison(node, parts)
      case 'Conjunction':
        return logic(node, parts, false)
      case 'Disjunction':
        return logic(node, parts, true)
      case 'IfExpression':
        return choice(node, parts)
      case 'FunctionInvocation':
        return call(node, parts)
      default:
        return refuse(node)
    }
  }

  function literal(node: Node): Part {
    const text = textOf(node).replaceAll(' ', '')
    const value = exactOf(text)
    return value ? { type: 'number', of: () => value } : refuse(node)
  }

  /** Slugs and names have no escapes, so that none are read. */
  function textLiteral(node: Node): Part {
    const value = formula.slice(node.from + 1, node.to - 1)
    return value.includes('\\') ? refuse(node) : { type: 'text', of: () => value }
  }

  function field(node: Node): Part {
    const name = textOf(node)
    const found = fields.get(name)
    if (!found) return refuse(node)
    const { kind, reference } = typeOfField(found)
    if (kind === 'decimal')
      return { type: 'number', of: (data) => (typeof data[name] === 'string' ? (exactOf(data[name]) ?? null) : null) }
    if (kind === 'number' && (reference.value as { readonly type?: unknown }).type === 'integer')
      return { type: 'number', of: (data) => (Number.isSafeInteger(data[name]) ? whole(data[name] as number) : null) }
    if (kind === 'boolean')
      return { type: 'boolean', of: (data) => (typeof data[name] === 'boolean' ? data[name] : null) }
    if (kind === 'text') return { type: 'text', of: (data) => (typeof data[name] === 'string' ? data[name] : null) }
    problems.push(
      kind === 'number'
        ? `The field ${name} is a float, which is not exact: make it a decimal, or choose float as the result.`
        : `The field ${name} is a ${found.type}, with which no decimals are calculated: compute what you need of it in a field of its own, and use that here.`,
    )
    return nothing
  }

  /** A part that has to be of a type; null has no value of any. */
  function typed(node: Node, type: ValueType): Part {
    const before = problems.length
    const one = read(node)
    if (one.type !== type && one.type !== 'nothing' && problems.length === before)
      problems.push(`${shown(textOf(node))} is a ${one.type}, where a ${type} is needed.`)
    return one
  }

  function numbers(parts: readonly Part[], make: (...values: Exact[]) => Exact): Part {
    return {
      type: 'number',
      of(data) {
        const values = parts.map((one) => one.of(data))
        return values.every(isNumber) ? make(...values) : null
      },
    }
  }

  function calculation(node: Node, parts: readonly Node[]): Part {
    const [first, second, third] = parts
    if (first?.name === 'ArithOp' && second && !third) {
      const one = typed(second, 'number')
      return textOf(first) === '-' ? numbers([one], negated) : one
    }
    const make = second && arithmetic.get(textOf(second))
    if (!first || !third || !make) return refuse(node)
    return numbers([typed(first, 'number'), typed(third, 'number')], make)
  }

  function comparison(node: Node, parts: readonly Node[]): Part {
    const [first, sign, second, , third] = parts
    if (!first || !sign || !second) return refuse(node)
    const operator = textOf(sign)
    if (operator === 'between' && third) return between([first, second, third])
    const one = read(first)
    if (operator === 'in') {
      const tests = second.name === 'PositiveUnaryTests' ? partsOf(second) : parts.slice(2)
      return equality(node, one, tests.map(read))
    }
    const other = read(second)
    if (operator === '=') return equality(node, one, [other])
    if (operator === '!=') return opposite(equality(node, one, [other]))
    const holds = comparing.get(operator)
    if (!holds) return refuse(node)
    for (const { type } of [one, other])
      if (type !== 'number' && type !== 'nothing') {
        problems.push(`${shown(textOf(node))} compares a ${type}: only numbers have an order here.`)
        return nothing
      }
    return {
      type: 'boolean',
      of(data) {
        const [a, b] = [one.of(data), other.of(data)]
        return isNumber(a) && isNumber(b) ? holds(compareExact(a, b)) : null
      },
    }
  }

  function between(nodes: readonly Node[]): Part {
    const parts = nodes.map((node) => typed(node, 'number'))
    return {
      type: 'boolean',
      of(data) {
        const [value, least, most] = parts.map((one) => one.of(data)) as [Value, Value, Value]
        if (!isNumber(value) || !isNumber(least) || !isNumber(most)) return null
        return compareExact(value, least) >= 0 && compareExact(value, most) <= 0
      },
    }
  }

  function equality(node: Node, one: Part, others: readonly Part[]): Part {
    for (const { type } of others)
      if (type !== one.type && type !== 'nothing' && one.type !== 'nothing') {
        problems.push(`${shown(textOf(node))} compares a ${one.type} with a ${type}.`)
        return nothing
      }
    return {
      type: 'boolean',
      of(data) {
        const value = one.of(data)
        return others.some((other) => areSame(value, other.of(data)))
      },
    }
  }

  /** As in FEEL: what is not known decides nothing, unless the other side does. */
  function logic(node: Node, parts: readonly Node[], decides: boolean): Part {
    const [first, , second] = parts
    if (!first || !second) return refuse(node)
    const [one, other] = [typed(first, 'boolean'), typed(second, 'boolean')]
    return {
      type: 'boolean',
      of(data) {
        const [a, b] = [one.of(data), other.of(data)]
        if (a === decides || b === decides) return decides
        return a === null || b === null ? null : !decides
      },
    }
  }

  function choice(node: Node, parts: readonly Node[]): Part {
    const [condition, then, otherwise] = parts.filter(({ name }) => !['if', 'then', 'else'].includes(name))
    if (!condition || !then || !otherwise) return refuse(node)
    const [test, one, other] = [typed(condition, 'boolean'), read(then), read(otherwise)]
    if (one.type !== other.type && one.type !== 'nothing' && other.type !== 'nothing')
      problems.push(`then is a ${one.type} and else a ${other.type} in ${shown(textOf(node))}.`)
    return {
      type: one.type === 'nothing' ? other.type : one.type,
      of: (data) => (test.of(data) === true ? one : other).of(data),
    }
  }

  function call(node: Node, [target, given]: readonly Node[]): Part {
    const name = target ? textOf(target) : ''
    if (given?.name !== 'PositionalParameters') return refuse(node)
    const parts = partsOf(given)
    const [first, second, ...more] = parts
    if (!first) return refuse(node)
    if (name === 'not' && !second) return opposite(typed(first, 'boolean'))
    if (name === 'abs' && !second)
      return numbers([typed(first, 'number')], (one) => (one.over < 0n ? negated(one) : one))
    const rounding = roundingFunctions.get(name)
    if (rounding && more.length === 0) {
      const places = second ? placesOf(second) : rounding.mayOmit ? 0 : undefined
      if (places !== undefined) return numbers([typed(first, 'number')], (one) => rounded(one, places, rounding.as))
      problems.push(`The digits of ${name}() are a whole number from 0 to ${maxDecimalScale}: ${name}(price, 2).`)
      return nothing
    }
    const make = listFunctions.get(name)
    if (!make) return refuse(node)
    const items = first.name === 'List' && !second ? partsOf(first) : parts
    if (items.length === 0) return refuse(node)
    return numbers(
      items.map((one) => typed(one, 'number')),
      (...values) => make(values as [Exact, ...Exact[]]),
    )
  }

  function placesOf(node: Node): number | undefined {
    const places = node.name === 'NumericLiteral' ? Number(textOf(node)) : Number.NaN
    return Number.isInteger(places) && places >= 0 && places <= maxDecimalScale ? places : undefined
  }
}

const opposite = (one: Part): Part => ({
  type: 'boolean',
  of(data) {
    const value = one.of(data)
    return typeof value === 'boolean' ? !value : null
  },
})

const areSame = (a: Value, b: Value): boolean => (isNumber(a) ? isNumber(b) && compareExact(a, b) === 0 : a === b)

import { parseUnaryTests } from 'feelin'
import { shown } from '../../kernel/text/did-you-mean.ts'
import { inspectFormula } from './inspect-formula.ts'

/** A bound of a range; `isOpen`: it is not part of it itself. */
export interface RangeBound {
  readonly at: number
  readonly isOpen: boolean
}

/** A test that is understood without FEEL: a value, or numbers between bounds. */
export type SimpleTest =
  | { readonly is: 'value'; readonly value: string | number | boolean | null }
  | { readonly is: 'range'; readonly from?: RangeBound; readonly to?: RangeBound }

/** The tests of a cell of a decision table (unary tests of FEEL). */
export interface UnaryTests {
  /** Why it cannot be used; undefined: it can. */
  readonly problem?: string
  /** Anything passes: the cell is `-`. */
  readonly isAny: boolean
  /** `not(...)`. */
  readonly isNegated: boolean
  /** Present when all tests are simple. */
  readonly tests?: readonly SimpleTest[]
  /** An expression over `testedName` that is true when the value passes. */
  readonly source: string
}

/** The name of the tested value in the expression of a cell. */
export const testedName = 'tested_value__'

type Node = ReturnType<typeof parseUnaryTests>['topNode']

const childrenOf = (node: Node): Node[] => {
  const found: Node[] = []
  for (let one = node.firstChild; one; one = one.nextSibling) found.push(one)
  return found
}

/** Reads the tests of a cell. They are bounded as formulas are. */
export function readUnaryTests(text: string): UnaryTests {
  const refused = (problem: string): UnaryTests => ({ problem, isAny: false, isNegated: false, source: 'false' })
  if (text.trim() === '' || text.trim() === '-') return { isAny: true, isNegated: false, source: 'true' }
  const textOf = ({ from, to }: { from: number; to: number }): string => text.slice(from, to)
  const { topNode } = parseUnaryTests(text, {}, undefined)
  const error = firstError(topNode)
  if (error !== undefined)
    return refused(
      error.from >= text.trimEnd().length
        ? 'something is missing at its end'
        : `${shown(text.slice(error.from, error.from + 20))} is not expected here`,
    )
  const isNegated = topNode.getChild('not') !== null
  const nodes = topNode.getChild('PositiveUnaryTests')?.getChildren('PositiveUnaryTest') ?? []
  const parts = nodes.map((node) => {
    const only = node.firstChild
    return { node, only, simple: only === null ? undefined : simpleTest(only, textOf) }
  })
  for (const { node, only } of parts) {
    const problem = only === null ? 'a test is missing' : doubtful(node, only, textOf)
    if (problem !== undefined) return refused(problem)
  }
  const source = parts.map(({ node, only }) => expressionOf(node, only as Node, text)).join(' or ')
  const grouped = groupValues(parts, textOf) ?? source
  const expression = isNegated ? `not(${grouped})` : grouped
  const [problem] = inspectFormula(expression, 'any').problems
  if (problem !== undefined) return refused(inCellWords(problem))
  const simple = parts.map(({ simple: one }) => one)
  return {
    isAny: false,
    isNegated,
    source: expression,
    ...(simple.every((one) => one !== undefined) && { tests: simple }),
  }
}

/** What is said of a formula, of an expression of a decision: positions would be those of a text that nobody wrote. */
export const inCellWords = (problem: string): string =>
  problem
    .replaceAll(/ at line \d+, column \d+/g, '')
    .replaceAll('a formula', 'a decision')
    .replaceAll('in formulas', 'in decisions')
    .replaceAll('The formula', 'It')
    .replace(/\.$/, '')
    .replace(/^[A-Z](?=[a-z ])/, (letter) => letter.toLowerCase())

/** All plain values and comparisons as one `in`: as many as a cell has would be nested too deep as `or`. */
function groupValues(
  parts: readonly { readonly node: Node; readonly simple?: SimpleTest | undefined }[],
  textOf: (node: Node) => string,
): string | undefined {
  const isPlain = parts.every(({ simple }) => simple !== undefined && !(simple.is === 'value' && simple.value === null))
  return isPlain && parts.length > 1
    ? `(${testedName} in (${parts.map(({ node }) => textOf(node)).join(', ')})) = true`
    : undefined
}

function firstError(top: Node): Node | undefined {
  let found: Node | undefined
  top.cursor().iterate(({ node, type }) => {
    if (type.isError) found ??= node
    return found === undefined
  })
  return found
}

/** `? > 5`, or what the value is compared with. */
function expressionOf(node: Node, only: Node, text: string): string {
  const marks: Node[] = []
  node.cursor().iterate((one) => {
    if (one.name === '?') marks.push(one.node)
  })
  const written = text.slice(node.from, node.to)
  if (marks.length > 0) {
    let made = ''
    let at = node.from
    for (const { from, to } of marks) {
      made += `${text.slice(at, from)}${testedName}`
      at = to
    }
    return `(${made}${text.slice(at, node.to)}) = true`
  }
  if (only.name === 'null') return `(${testedName} = null) = true`
  const isRange = only.name === 'SimplePositiveUnaryTest' && only.firstChild?.name === 'Interval'
  return `(${testedName} in ${isRange ? written : `(${written})`}) = true`
}

/** Tests that FEEL reads in a way that nobody means. */
function doubtful(node: Node, only: Node, textOf: (node: Node) => string): string | undefined {
  let hasMark = false
  let tests = 0
  node.cursor().iterate(({ name }) => {
    hasMark ||= name === '?'
    if (name === 'SimplePositiveUnaryTest') tests += 1
  })
  if (hasMark) return undefined
  const isJoined = only.name === 'Conjunction' || only.name === 'Disjunction'
  if (isJoined || tests > 1)
    return `${shown(textOf(node))} joins tests: separate alternatives with commas, write a range such as [3..5], or use ? for the value, as in ? > 3 and ? < 5`
  return undefined
}

function simpleTest(node: Node, textOf: (node: Node) => string): SimpleTest | undefined {
  const value = literalOf(node, textOf)
  if (value !== undefined) return { is: 'value', value }
  if (node.name !== 'SimplePositiveUnaryTest') return undefined
  const parts = childrenOf(node)
  const [first, second] = parts
  if (first?.name === 'Interval') {
    const [open, low, , high, close] = childrenOf(first)
    const [from, to] = [low, high].map((one) => (one === undefined ? undefined : literalOf(one, textOf)))
    if (typeof from !== 'number' || typeof to !== 'number' || from > to || !open || !close) return undefined
    return {
      is: 'range',
      from: { at: from, isOpen: textOf(open) !== '[' },
      to: { at: to, isOpen: textOf(close) !== ']' },
    }
  }
  const at = second === undefined || parts.length !== 2 ? undefined : literalOf(second, textOf)
  if (first?.name !== 'CompareOp' || at === undefined) return undefined
  const operator = textOf(first)
  if (operator === '=') return { is: 'value', value: at }
  if (typeof at !== 'number') return undefined
  switch (operator) {
    case '<':
    case '<=':
      return { is: 'range', to: { at, isOpen: operator === '<' } }
    case '>':
    case '>=':
      return { is: 'range', from: { at, isOpen: operator === '>' } }
    default:
      return undefined
  }
}

/** The value of a literal; undefined when it is none. */
function literalOf(node: Node, textOf: (node: Node) => string): string | number | boolean | null | undefined {
  const text = textOf(node)
  switch (node.name) {
    case 'NumericLiteral': {
      const number = Number(text.replaceAll(/\s/g, ''))
      return Number.isFinite(number) ? number : undefined
    }
    case 'StringLiteral':
      return unquoted(text)
    case 'BooleanLiteral':
      return text === 'true'
    case 'null':
      return null
    default:
      return undefined
  }
}

const escapes: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ['\\', '\\'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
])

/** The text of a literal in quotes; undefined for another text, and for escapes that FEEL is left to read. */
const unquoted = (literal: string): string | undefined =>
  /^"(?:[^"\\\n]|\\["\\nrt])*"$/.test(literal)
    ? literal.slice(1, -1).replaceAll(/\\(.)/g, (_, sign: string) => escapes.get(sign) ?? sign)
    : undefined

/** The value of an expression that is one literal; undefined when it is not. */
export function constantOf(source: string): string | number | boolean | null | undefined {
  const text = source.trim()
  if (/^-?\d+(?:\.\d+)?$/.test(text)) return Number(text)
  if (text === 'null') return null
  if (text === 'true' || text === 'false') return text === 'true'
  return unquoted(text)
}

/** Whether a value passes simple tests, as their expression in FEEL would say. */
export function passesSimple(
  { tests = [], isNegated }: Pick<UnaryTests, 'tests' | 'isNegated'>,
  value: unknown,
): boolean {
  return tests.some((test) => passes(test, value)) !== isNegated
}

function passes(test: SimpleTest, value: unknown): boolean {
  if (test.is === 'value') return value === test.value
  if (typeof value !== 'number') return false
  const { from, to } = test
  const isAbove = from === undefined || value > from.at || (value === from.at && !from.isOpen)
  const isBelow = to === undefined || value < to.at || (value === to.at && !to.isOpen)
  return isAbove && isBelow
}

import { evaluate, FeelDateTime, isFunction, parseExpression } from 'feelin'
import { instantOf } from './compile-formula.ts'
import { inspectFormula } from './inspect-formula.ts'

/** An expression in FEEL over names that are known when it is evaluated. */
export interface FeelExpression {
  readonly names: ReadonlySet<string>
  /** Why it may not be evaluated; empty when it may. */
  readonly problems: readonly string[]
  /** Its value as JSON; null when it has none. */
  readonly evaluate: (scope: Readonly<Record<string, unknown>>) => unknown
  /** Its value in FEEL, whose dates and durations are objects. */
  readonly valueIn: (scope: Readonly<Record<string, unknown>>) => unknown
}

/** Compiles an expression. It is bounded as a formula is, but names what it likes, and members of that. */
export function compileExpression(written: string): FeelExpression {
  const source = expandCalls(written)
  const { names, problems } = inspectFormula(source, 'any')
  const used = [...names.keys()]
  const nothing = { names: new Set(used), problems, evaluate: () => null, valueIn: () => null }
  if (problems.length > 0) return nothing
  const { value: made, warnings } = evaluate(`function(${used.join(', ')}) ${source}`)
  if (!isFunction(made)) return nothing
  const valueIn = (scope: Readonly<Record<string, unknown>>, read = (value: unknown): unknown => value): unknown => {
    try {
      return read(made.invoke(used.map((name) => (Object.hasOwn(scope, name) ? (scope[name] ?? null) : null))))
    } catch {
      // FEEL has no value where an operation has none.
      return null
    } finally {
      // They are kept as long as the function, and nobody reads them.
      warnings.length = 0
    }
  }
  return { ...nothing, evaluate: (scope) => valueIn(scope, plain), valueIn: (scope) => valueIn(scope) }
}

/** A value of FEEL as JSON: dates and durations in ISO 8601. */
export function plain(value: unknown): unknown {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value
    case 'number':
      // FEEL calculates in decimals. So do fifteen digits of a binary number: 0.1 + 0.2 is 0.3.
      return Number.isFinite(value) ? Number(value.toPrecision(15)) : null
    case 'object': {
      if (value === null) return null
      if (Array.isArray(value)) return value.map(plain)
      if (value instanceof FeelDateTime) return instantOf(value)
      const prototype: unknown = Object.getPrototypeOf(value)
      if (prototype !== Object.prototype && prototype !== null) return String(value)
      return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]))
    }
    default:
      return null
  }
}

/** Functions that engines add to FEEL, and that are short for what FEEL says itself. */
const added = /\b(?:is\s+defined|cycle)\s*\(/

interface Edit {
  readonly from: number
  readonly to: number
  readonly text: string
}

/**
 * Writes what Camunda adds to FEEL in the words of FEEL: `is defined(x)` is `x != null`, and `cycle(3, duration("PT1H"))`
 * the repeating interval `R3/PT1H`. Calls with other parameters stay as they are.
 */
export function expandCalls(source: string): string {
  if (!added.test(source)) return source
  const edits: Edit[] = []
  parseExpression(source, {}, undefined).iterate({
    enter({ node, name }) {
      if (name !== 'FunctionInvocation') return
      const called = node.firstChild
      const given = node.getChild('PositionalParameters')
      if (!called || !given) return
      const values = childrenOf(given).filter((child) => /^[A-Z]|^null$/.test(child.name))
      const parts = partsOf(source.slice(called.from, called.to).replaceAll(/\s+/g, ' '), values.length)
      if (parts === undefined) return
      // The text around its values, which may hold such calls themselves.
      for (const [index, text] of parts.entries())
        edits.push({ from: values[index - 1]?.to ?? node.from, to: values[index]?.from ?? node.to, text })
    },
  })
  return edits
    .toSorted((one, other) => other.from - one.from || other.to - one.to)
    .reduce((text, { from, to, text: replacement }) => text.slice(0, from) + replacement + text.slice(to), source)
}

/** What is written before, between and after the values of a call. */
function partsOf(name: string, values: number): readonly string[] | undefined {
  if (name === 'is defined' && values === 1) return ['((', ') != null)']
  if (name === 'cycle' && values === 1) return ['("R/" + string(', '))']
  return name === 'cycle' && values === 2 ? ['("R" + string(', ') + "/" + string(', '))'] : undefined
}

type Node = ReturnType<typeof parseExpression>['topNode']

function childrenOf(node: Node): Node[] {
  const children: Node[] = []
  for (let child = node.firstChild; child !== null; child = child.nextSibling) children.push(child)
  return children
}

import { evaluate, FeelDateTime, isFunction } from 'feelin'
import { instantOf } from './compile-formula.ts'
import { expandCalls } from './expand-calls.ts'
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

import type { Row } from '../access/row.ts'
import type { Expression, Predicate } from '../grammar/expression-types.ts'
import { compareScalars, foldCase, type Scalar } from '../grammar/scalar.ts'

export type Matcher = (row: Row) => boolean

/** Whether a record matches an expression; fields of referenced records need `row.related`. */
export const matches = (expression: Expression, row: Row): boolean => compilePredicate(expression)(row)

/** The same, compiled once for many records. */
export function compilePredicate(expression: Expression): Matcher {
  switch (expression.kind) {
    case 'all': {
      const parts = expression.of.map(compilePredicate)
      return (row) => parts.every((part) => part(row))
    }
    case 'any': {
      const parts = expression.of.map(compilePredicate)
      return (row) => parts.some((part) => part(row))
    }
    case 'not': {
      const part = compilePredicate(expression.of)
      return (row) => !part(row)
    }
    case 'test': {
      const { field } = expression
      const passes = compileTest(expression.predicate)
      return (row) => {
        const value = field.readValue(row)
        if (value === undefined) return false
        // A field of several files matches when one of them does.
        return typeof value === 'object' ? value.some(passes) : passes(value)
      }
    }
  }
}

function compileTest(predicate: Predicate): (value: Scalar) => boolean {
  switch (predicate.op) {
    case 'equals': {
      const { value: wanted } = predicate
      return (value) => value === wanted
    }
    case 'among': {
      const wanted = new Set(predicate.values)
      return (value) => wanted.has(value)
    }
    case 'less':
      return (value) => compareScalars(value, predicate.value) < 0
    case 'at_most':
      return (value) => compareScalars(value, predicate.value) <= 0
    case 'greater':
      return (value) => compareScalars(value, predicate.value) > 0
    case 'at_least':
      return (value) => compareScalars(value, predicate.value) >= 0
    case 'between':
      return (value) => compareScalars(value, predicate.from) >= 0 && compareScalars(value, predicate.to) <= 0
    case 'present':
      return () => true
    case 'filled':
      return (value) => value !== ''
    case 'contains':
    case 'starts':
    case 'ends':
      return textPredicate(predicate)
  }
}

function textPredicate({ op, text, folded }: Extract<Predicate, { text: string }>): (value: Scalar) => boolean {
  const wanted = folded ? foldCase(text) : text
  const read = folded ? (value: Scalar) => foldCase(String(value)) : String
  if (op === 'contains') return (value) => read(value).includes(wanted)
  return op === 'starts' ? (value) => read(value).startsWith(wanted) : (value) => read(value).endsWith(wanted)
}

import { columnTest, passesValue } from '../../columns/predicate.ts'
import type { Expression } from '../grammar/expression.ts'
import type { Row } from './row.ts'

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
      const test = columnTest(expression.predicate)
      return (row) => passesValue(field.readValue(row), test)
    }
  }
}

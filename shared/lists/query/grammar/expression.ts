import type { Expression, Test } from './expression-types.ts'

/** Every record passes. */
export const everything: Expression = { kind: 'all', of: [] }
/** No record passes. */
export const nothing: Expression = { kind: 'any', of: [] }
export const all = (of: readonly Expression[]): Expression =>
  of.length === 1 ? (of[0] as Expression) : { kind: 'all', of }
export const any = (of: readonly Expression[]): Expression =>
  of.length === 1 ? (of[0] as Expression) : { kind: 'any', of }

/** The complement of an expression. */
export function not(of: Expression): Expression {
  if (of.kind === 'not') return of.of
  // `everything` and `nothing` become each other.
  if (of.kind !== 'test' && of.of.length === 0) return { kind: of.kind === 'all' ? 'any' : 'all', of: [] }
  return { kind: 'not', of }
}

/** Every test in an expression. */
export function testsOf(expression: Expression): Test[] {
  if (expression.kind === 'test') return [expression]
  if (expression.kind === 'not') return testsOf(expression.of)
  return expression.of.flatMap(testsOf)
}

/** Whether an expression has no test at all and lets every record pass. */
export const isEverything = (expression: Expression): boolean =>
  expression.kind === 'all' && expression.of.every(isEverything)

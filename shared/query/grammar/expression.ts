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

/** The parts that must all hold: nested `all`s are flattened, and a negated `any` becomes its negated parts. */
export function conjunctsOf(expression: Expression): Expression[] {
  if (expression.kind === 'all') return expression.of.flatMap(conjunctsOf)
  if (expression.kind === 'not' && expression.of.kind === 'any')
    return expression.of.of.flatMap((one) => conjunctsOf(not(one)))
  return [expression]
}

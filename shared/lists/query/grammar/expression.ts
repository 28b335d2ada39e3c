import type { NamedFields } from '../../../platform/store/rows/stored-names.ts'
import type { ValueKind } from '../../../tables/field-types/declaration.ts'
import type { Field } from '../../../tables/tables/schema.ts'
import type { Predicate } from '../../columns/predicate.ts'
import type { Scalar } from '../../columns/scalar.ts'
import type { Bucket } from '../kinds/buckets.ts'
import type { Row } from '../read/row.ts'

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

/** A test of one field; its predicate tests the field's value. */
export interface Test {
  readonly kind: 'test'
  readonly field: QueryField
  readonly predicate: Predicate
}

/** A parsed filter. `not` is the exact complement: the laws of two-valued logic hold. */
export type Expression =
  | { readonly kind: 'all' | 'any'; readonly of: readonly Expression[] }
  | { readonly kind: 'not'; readonly of: Expression }
  | Test

/** A field in a query: of the table itself, or of a table that it refers to. */
export interface QueryField {
  /** As in the query: `priority`, `client_id.name`. */
  readonly path: string
  readonly name: string
  readonly kind: ValueKind
  readonly isStandard: boolean
  readonly definition?: Field
  /** The table that the field refers to, or `users`. */
  readonly refersTo?: string
  /** For a reference to records: how their table stores its fields. */
  readonly referred?: NamedFields
  /** For a reference: the records that the viewer may see. Others are treated as missing. */
  readonly visible?: Expression
  /** For a field of a referenced record: the reference. */
  readonly via?: QueryField
  /** For a field of a referenced record: the field in its own table. */
  readonly target?: QueryField
  /** For a group of moments or days: what gathers them. */
  readonly bucket?: Bucket
  /** The record's value, or values of a field of several files; undefined when it has none. */
  readValue(row: Row): Scalar | readonly Scalar[] | undefined
}

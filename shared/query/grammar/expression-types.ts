import type { Field } from '../../tables/schema.ts'
import type { Row } from '../access/row.ts'
import type { Scalar, ValueKind } from './scalar.ts'

/** A test of one value. A record without a value passes none of them: what matches a missing value is a `not`. */
export type Predicate =
  | { readonly op: 'equals'; readonly value: Scalar }
  | { readonly op: 'among'; readonly values: readonly Scalar[] }
  | { readonly op: 'less' | 'at_most' | 'greater' | 'at_least'; readonly value: Scalar }
  | { readonly op: 'between'; readonly from: Scalar; readonly to: Scalar }
  | { readonly op: 'present' }
  /** Present, and not the empty text. */
  | { readonly op: 'filled' }
  | { readonly op: 'contains' | 'starts' | 'ends'; readonly text: string; readonly folded: boolean }

export interface Test {
  readonly kind: 'test'
  readonly field: QueryField
  readonly predicate: Predicate
}

/** A filter, checked and typed. `_not` is the exact complement, so every law of two-valued logic holds. */
export type Expression =
  | { readonly kind: 'all' | 'any'; readonly of: readonly Expression[] }
  | { readonly kind: 'not'; readonly of: Expression }
  | Test

/** Where the keys of a field's records stand in order. */
export interface FieldIndex {
  /** undefined: the table itself, which is ordered by id. */
  readonly slot: number | undefined
  /** False: records without a value may be absent from the slot. */
  readonly coversMissing: boolean
}

/** A field as a query names it, of the table or one step away. */
export interface QueryField {
  /** As the caller writes it: `priority`, `client_id.name`. */
  readonly path: string
  readonly name: string
  readonly kind: ValueKind
  readonly isStandard: boolean
  readonly index?: FieldIndex
  /** Long text is cut in an index: its order there is not the whole truth. */
  readonly mayBeCut: boolean
  readonly definition?: Field
  /** The table whose ids are this field's values, or `users`. */
  readonly refersTo?: string
  /** Of what it refers to, the records that the viewer may see: the others are as if they were not there. */
  readonly seen?: Expression
  /** The reference one steps through to reach this field. */
  readonly via?: QueryField
  /** Behind a reference: the field as its own table knows it. */
  readonly target?: QueryField
  /** The record's value, several of a file field; undefined when it has none. */
  readValue(row: Row): Scalar | readonly Scalar[] | undefined
}

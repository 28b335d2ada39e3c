import type { ComponentType } from 'react'
import type { Expanded } from '../api/records.ts'
import type { Field } from '../api/tables.ts'

/** What shows a value of a field. */
export interface ValueProps {
  readonly field: Field
  /** Never null and never undefined: what has no value is shown by the screen. */
  readonly value: unknown
  /** The record that the value refers to, where the list brought it. */
  readonly expanded?: Expanded | null | undefined
}

/** What changes a value of a field. */
export interface EditProps {
  readonly field: Field
  readonly value: unknown
  /** `null` clears the field. */
  readonly onChange: (value: unknown) => void
  /** Without a label the field is named by its column (`aria-label`). */
  readonly label?: string | undefined
  readonly ariaLabel?: string | undefined
  readonly error?: string | undefined
  readonly required?: boolean | undefined
  readonly disabled?: boolean | undefined
  readonly autoFocus?: boolean | undefined
  /** `xs` in a list, `sm` in a form. */
  readonly size?: 'xs' | 'sm' | undefined
}

/** Operators of the one list grammar that people choose from. */
export type Operator =
  | '_eq'
  | '_neq'
  | '_icontains'
  | '_istarts_with'
  | '_gt'
  | '_gte'
  | '_lt'
  | '_lte'
  | '_in'
  | '_nin'
  | '_has_any'
  | '_null'
  | '_nnull'

/** Operators that take no value: the field itself says it. */
export const isUnary = (operator: Operator): boolean => operator === '_null' || operator === '_nnull'

/**
 * All that the app knows of a type of field. A type of the service without a module is shown as text and cannot be
 * changed here, so a new one is safe before it has one.
 */
export interface FieldModule {
  /** In a record, in full. */
  readonly Show: ComponentType<ValueProps>
  /** In a list, on one line; the same as `Show` when left out. */
  readonly Cell?: ComponentType<ValueProps>
  /** Left out where people never write the value. */
  readonly Edit?: ComponentType<EditProps>
  /** The value of a condition; `Edit` when left out. */
  readonly FilterValue?: ComponentType<EditProps>
  /** Left out where a list cannot be filtered by it. The first is offered first. */
  readonly operators?: readonly Operator[]
  /** Of its column at first, in px. */
  readonly width: number
  readonly align?: 'end'
  /** One short control, which fits into a row of a list. */
  readonly editsInCell?: true
  /** The list brings the record that the value refers to. */
  readonly expands?: true
  /** What a list is grouped by has few values. */
  readonly groups?: true
}

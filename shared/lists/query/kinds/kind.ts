import type { Compare, Scalar } from '../../columns/scalar.ts'
import type { NumbersVector } from '../../columns/vector/numbers.ts'
import type { QueryField } from '../grammar/expression.ts'
import type { Variables } from '../grammar/variables.ts'

export type ParsedValue = { readonly value: Scalar } | { readonly error: string }

/** What a filter of AG Grid compares. */
export type GridFilterKind = 'text' | 'number' | 'date' | 'boolean'

/** How the values of a kind of fields are read and compared in lists. */
export interface Kind {
  /** Parses one value of a filter and replaces variables. `path`: its path in error messages. */
  parse(given: unknown, path: string, variables: Variables, field: QueryField): ParsedValue
  /** Whether one value can be less than another: `_lt`, `_between`, `min`. */
  readonly isOrdered: boolean
  /** Whether a test may look at a part of it: `_contains`. */
  readonly isText?: true
  /** Whether it can be added up: `sum`, `avg`. */
  readonly isAddable?: true
  /** The vector that its columns usually are, and the number in the place of a value, in the same order. */
  readonly numbers?: { readonly vector: NumbersVector['kind']; of(value: Scalar): number }
  /** How two values compare, where that is not the order of texts, numbers and booleans. */
  readonly compare?: Compare
  /** For values that are several: they sort and group as one text, which tells them. */
  readonly whole?: { join(values: readonly Scalar[]): string | undefined; split(joined: Scalar): string[] }
  /** Nothing can be asked of its values: no filter, sort or group. */
  readonly isOpaque?: true
  readonly grid: {
    /** The grid's filter for it; without one there is none. */
    readonly filter?: GridFilterKind
    /** What a field holds, in messages. */
    readonly holds: string
    /** The value of a key that the grid made a text of. */
    readKey?(key: string): unknown
  }
}

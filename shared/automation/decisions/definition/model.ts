import type { FeelType } from '../../../tables/formulas/typed-values.ts'
import type { SimpleTest } from '../../../tables/formulas/unary-tests.ts'

/** A decision as it is evaluated, stored as JSON with its version, so that nothing parses XML at run time. */
export interface DecisionModel {
  readonly v: 1
  /** What callers give, each by its name. */
  readonly inputs: readonly DecisionInput[]
  /** Every decision after those that it requires; the last one is asked. */
  readonly decisions: readonly DecisionNode[]
}

/** `as`: the name in expressions, which have no spaces and signs. */
export interface DecisionInput {
  readonly name: string
  readonly as: string
  readonly type: FeelType
  readonly allowed?: TestCell
}

export interface DecisionNode {
  readonly id: string
  readonly name: string
  /** Its name in the expressions of decisions that require it. */
  readonly as: string
  readonly requires: readonly string[]
  readonly type: FeelType
  readonly logic: ({ readonly is: 'table' } & DecisionTable) | { readonly is: 'expression'; readonly value: ValueCell }
}

export const hitPolicies = ['UNIQUE', 'FIRST', 'PRIORITY', 'ANY', 'COLLECT', 'RULE ORDER', 'OUTPUT ORDER'] as const
export type HitPolicy = (typeof hitPolicies)[number]
export const aggregations = ['SUM', 'COUNT', 'MIN', 'MAX'] as const
export type Aggregation = (typeof aggregations)[number]

export interface DecisionTable {
  readonly hitPolicy: HitPolicy
  readonly aggregation?: Aggregation
  readonly inputs: readonly InputColumn[]
  readonly outputs: readonly OutputColumn[]
  readonly rules: readonly Rule[]
}

export interface InputColumn {
  /** For messages. */
  readonly label: string
  readonly value: ValueCell
  readonly type: FeelType
  /** Its numbers have no fraction. */
  readonly isWhole?: true
  readonly allowed?: TestCell
}

export interface OutputColumn {
  readonly label: string
  /** Undefined: the only output, whose value is the result itself. */
  readonly name?: string
  readonly type: FeelType
  /** The values that are allowed, those of the highest priority first, as JSON. */
  readonly priorities?: readonly unknown[]
  readonly allowed?: TestCell
  readonly default?: ValueCell
}

export interface Rule {
  readonly id: string
  /** A test for each input; null: any value. */
  readonly when: readonly (TestCell | null)[]
  readonly answers: readonly ValueCell[]
}

/** `text`: as its author wrote it. `source`: an expression of FEEL over the tested value. */
export interface TestCell {
  readonly text: string
  readonly source: string
  readonly isNegated?: true
  /** Present when FEEL is not needed. */
  readonly tests?: readonly SimpleTest[]
}

/** `constant` is present when FEEL is not needed. */
export interface ValueCell {
  readonly text: string
  readonly source: string
  readonly constant?: string | number | boolean | null
}

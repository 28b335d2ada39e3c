/** Where a decision took an input from: the field of the record with its name, or something else that may contain fields. */
export type InputSource = 'field' | 'other'

/** What the history of a process keeps of one evaluation of a decision. A stored format. */
export interface DecisionOutcome {
  /** The pass through the activity that evaluated it. */
  readonly execution_id: string
  readonly id: number
  readonly code: string
  readonly version: number
  readonly inputs: readonly { readonly name: string; readonly value: unknown; readonly from: InputSource }[]
  readonly rules: readonly { readonly id: string; readonly number: number }[]
  /** How many rules matched. */
  readonly matched: number
  readonly result: unknown
  readonly required?: readonly {
    readonly id: string
    readonly rules: readonly { readonly id: string; readonly number: number }[]
  }[]
  /** Values were cut, or left out. */
  readonly is_shortened?: true
}

import type { FailureCode } from '../../../../kernel/failures/failure-codes.ts'

export interface Explanation {
  readonly meaning: string
  readonly remedy: string
}

/** What some failure codes mean, and what a client can do. */
export type Explanations = Partial<Record<FailureCode, Explanation>>

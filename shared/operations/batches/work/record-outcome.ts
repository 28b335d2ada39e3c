import { Fault, Invalid } from '../../../kernel/failures/faults.ts'
import { maxNamedFieldsPerRow } from '../../../kernel/limits/imports.ts'
import type { BatchRecord } from '../rows/page-row.ts'
import type { BatchCancelled, Kept, RecordFailure, ReturnedRecord } from '../schema.ts'

/** What a batch did to one record; an undo may have left something of it alone. */
export type RecordOutcome = {
  readonly kept?: Kept
  /** The processes that end with it. */
  readonly cancelled?: readonly BatchCancelled[]
  /** What came back with it. */
  readonly returned?: ReturnedRecord
} & ({ readonly as: 'changed' | 'unchanged' } | { readonly as: 'failed'; readonly failure: RecordFailure })

export const changed: RecordOutcome = { as: 'changed' }
export const unchanged: RecordOutcome = { as: 'unchanged' }

const cut = (text: string, length: number): string => text.slice(0, length).toWellFormed()

/** The outcome of a record that a Fault refused; every other error is thrown again. */
export function failedBy(error: unknown, { id, model }: BatchRecord): RecordOutcome {
  if (!(error instanceof Fault)) throw error
  const errors =
    error instanceof Invalid && Object.keys(error.errors).length > 0
      ? Object.fromEntries(
          Object.entries(error.errors)
            .slice(0, maxNamedFieldsPerRow)
            .map(([path, messages]) => [cut(path, 100), messages.map((message) => cut(message, 300))]),
        )
      : null
  return {
    as: 'failed',
    failure: { id, ...(model !== undefined && { model }), message: cut(error.message, 500), errors },
  }
}

import { Fault, type FieldErrors, Invalid } from '../../../../kernel/failures/faults.ts'
import { type FieldMessages, messagesOf } from '../../../../kernel/failures/sentence.ts'
import { maxNamedFieldsPerRow } from '../../../../kernel/limits/imports.ts'
import { addSizes, noSize, sizeOfText } from '../../../../platform/http/routing/answer-size.ts'
import type { Write } from '../../../../platform/store/store.ts'
import type { Item } from '../../../../platform/store/values/marshal.ts'
import type { PreparedRecord } from '../../../../records/records/write/create-record.ts'
import type { RowFailure } from '../../schema.ts'

/** A record that a row changes. */
export interface Target {
  readonly id: number
  readonly item: Item
  /** The row of the record that its key names, when that was merged into this one. */
  readonly merged?: Item
}

/** A row whose record there was: what became of it. */
export interface WrittenRow {
  readonly row: number
  readonly id: number
  readonly as: 'updated' | 'unchanged'
}

/** A row that may be stored, the record that it changes, what became of that, or the failure of the row. */
export type CheckedRow =
  | {
      readonly row: number
      readonly prepared: PreparedRecord
      /** The write that keeps another import from creating a record with the same key. */
      readonly claim?: (id: number) => Write
    }
  | {
      readonly row: number
      readonly target: Target
      readonly body: Readonly<Record<string, unknown>>
      /** Of references that name no record, or several. */
      readonly unnamed?: FieldErrors
    }
  | { readonly row: number; readonly written: WrittenRow }
  | { readonly row: number; readonly failure: RowFailure }

/** The failure of a row from a Fault; rethrows every other error. */
export function failureOf(row: number, error: unknown): RowFailure {
  if (!(error instanceof Fault)) throw error
  const errors = error instanceof Invalid && Object.keys(error.errors).length > 0 ? bounded(error.errors) : null
  return { row, errors, message: error.message.slice(0, 2000) }
}

/** The failure with other errors of some of its fields. */
export const withErrors = (failure: RowFailure, errors: FieldErrors): RowFailure =>
  failure.errors ? { ...failure, errors: { ...failure.errors, ...bounded(errors) } } : failure

const cut = (text: string, length: number): string => text.slice(0, length).toWellFormed()

/** Limits the errors of one row: paths and messages repeat the input, and 5,000 rows must fit into one answer. */
const bounded = (errors: FieldErrors): FieldMessages =>
  Object.fromEntries(
    Object.entries(messagesOf(errors))
      .slice(0, maxNamedFieldsPerRow)
      .map(([path, messages]) => [cut(path, 100), messages.map((message) => cut(message, 300))]),
  )

/** Limits of the detailed failures. With short ones for the rest of 5,000 rows the answer stays below its own limit. */
const detailedBytes = 2 * 1024 * 1024
const detailedCarriedBytes = 3 * 1024 * 1024
const shortMessage = 100

/**
 * The failures, truncated to fit into one answer that has them so many times: after the limit, rows have a short message
 * and no errors by field.
 */
export function truncateFailures(failures: readonly RowFailure[], times = 1): RowFailure[] {
  let size = noSize
  return failures.map((failure) => {
    size = addSizes(size, sizeOfText(JSON.stringify(failure)))
    const fits = size.bytes <= detailedBytes / times && size.carried <= detailedCarriedBytes / times
    return fits
      ? failure
      : { row: failure.row, errors: null, message: failure.message.slice(0, shortMessage).toWellFormed() }
  })
}

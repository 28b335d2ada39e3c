import { Fault, type FieldErrors, Invalid } from '../../../../kernel/failures/faults.ts'
import { maxNamedFieldsPerRow } from '../../../../kernel/limits/imports.ts'
import type { RowFailure } from '../../schema.ts'

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
const bounded = (errors: FieldErrors): FieldErrors =>
  Object.fromEntries(
    Object.entries(errors)
      .slice(0, maxNamedFieldsPerRow)
      .map(([path, messages]) => [cut(path, 100), messages.map((message) => cut(message, 300))]),
  )

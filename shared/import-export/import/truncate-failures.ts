import { addSizes, noSize, sizeOfText } from '../../http/routing/answer-size.ts'
import type { RowFailure } from '../schema.ts'

/** So much of an answer tells of failures field by field; with the short ones of 5,000 rows behind them it stays what one answer holds. */
const detailedBytes = 2 * 1024 * 1024
const detailedCarriedBytes = 3 * 1024 * 1024
const shortMessage = 100

/** The failures as one answer can carry them: where naming every field of every row would be too much, later rows have their message alone. */
export function carriedFailures(failures: readonly RowFailure[]): RowFailure[] {
  let size = noSize
  return failures.map((failure) => {
    size = addSizes(size, sizeOfText(JSON.stringify(failure)))
    const fits = size.bytes <= detailedBytes && size.carried <= detailedCarriedBytes
    return fits
      ? failure
      : { row: failure.row, errors: null, message: failure.message.slice(0, shortMessage).toWellFormed() }
  })
}

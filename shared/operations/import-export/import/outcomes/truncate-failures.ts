import { addSizes, noSize, sizeOfText } from '../../../../platform/http/routing/answer-size.ts'
import type { RowFailure } from '../../schema.ts'

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

import type { FailureCode } from '../../../kernel/failures/failure-codes.ts'
import { ofMissingObjects } from '../../../kernel/object-kinds.ts'
import { statusOfCode } from '../routing/answer-fault.ts'
import { accessFailures } from './explanations/access.ts'
import { conflictFailures } from './explanations/conflicts.ts'
import type { Explanation } from './explanations/explanation.ts'
import { notFoundFailures } from './explanations/not-found.ts'
import { requestFailures } from './explanations/requests.ts'

/** What each code means and what a client can do. A code without an entry is a type error. */
const explanationOf: Record<FailureCode, Explanation> = {
  ...accessFailures,
  ...ofMissingObjects((name) => ({
    meaning: `No ${name.replaceAll('_', ' ')} has this id.`,
    remedy: 'List what there is: somebody may have deleted it.',
  })),
  ...notFoundFailures,
  ...conflictFailures,
  ...requestFailures,
}

/** A failure code with its status and explanation. */
export interface ExplainedCode extends Explanation {
  readonly code: FailureCode
  readonly status: number
}

/** Every failure code, ordered by status, then by name. */
export const explainedCodes: readonly ExplainedCode[] = (Object.keys(explanationOf) as FailureCode[])
  .map((code) => ({ code, status: statusOfCode(code), ...explanationOf[code] }))
  .sort((one, other) => one.status - other.status || (one.code < other.code ? -1 : 1))

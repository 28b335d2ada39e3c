import { type FieldErrors, Invalid } from '../kernel/faults.ts'
import type { Item } from './marshal.ts'
import { TransactionRefused } from './refusals.ts'
import type { Scope, Store, Write } from './table.ts'

/** A write of a transaction and what it means to the caller when its condition does not hold. */
export interface Step {
  readonly write: Write
  readonly refused?: (existing: Item | undefined) => Error
}

/** What was read before the transaction has changed since: read it again and retry. */
export class StaleRead extends Error {}

/**
 * Writes all steps or none. `token` makes a repeat of the same commit harmless. When conditions fail, throws what the first
 * refused step says, a StaleRead before any other; when all of them say that fields are invalid, one Invalid that names every
 * field. `otherwise` says what a refusal means that no step explains (`again` of a retry will do); without it that is thrown
 * as TransactionRefused.
 */
export async function commit(
  store: Pick<Store, 'transact'>,
  scope: Scope,
  steps: readonly (Write | Step)[],
  token: string,
  otherwise?: (error: TransactionRefused) => Error,
): Promise<void> {
  try {
    await store.transact(
      scope,
      steps.map((step) => ('write' in step ? step.write : step)),
      token,
    )
  } catch (error) {
    throw error instanceof TransactionRefused ? meaningOf(steps, error, otherwise) : error
  }
}

function meaningOf(
  steps: readonly (Write | Step)[],
  error: TransactionRefused,
  otherwise: ((error: TransactionRefused) => Error) | undefined,
): Error {
  const meanings = error.reasons.flatMap((reason, index) => {
    if (!reason.failed) return []
    const step = steps[index] as Write | Step
    if ('write' in step && step.refused) return [step.refused(reason.existing)]
    return otherwise ? [] : [error]
  })
  // A row that changed since it was read explains the other refusals, so it comes first.
  const first =
    meanings.find((meaning) => meaning instanceof StaleRead) ??
    meanings.find((meaning) => !(meaning instanceof Invalid))
  if (first) return first
  if (meanings.length === 0) return otherwise?.(error) ?? error
  return new Invalid(Object.assign({}, ...(meanings as Invalid[]).map(({ errors }) => errors)) as FieldErrors)
}

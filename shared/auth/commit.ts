import { Invalid, type FieldErrors } from '../kernel/faults.ts'
import type { Item } from '../store/marshal.ts'
import { TransactionRefused } from '../store/refusals.ts'
import type { Scope, Store, Write } from '../store/table.ts'

/** A write of a transaction and what it means to the caller when its condition does not hold. */
export interface Step {
  readonly write: Write
  readonly refused?: (existing: Item | undefined) => Error
}

/** What was read before the transaction has changed since: read again and try again. */
export class StaleRead extends Error {}

/**
 * Writes all steps or none. When conditions fail, throws what the first refused step says; when all of them say that
 * fields are invalid, one Invalid that names every field. `token` makes a repeat of the same commit harmless.
 */
export async function commit(
  store: Pick<Store, 'transact'>,
  scope: Scope,
  steps: readonly Step[],
  token: string,
): Promise<void> {
  try {
    await store.transact(
      scope,
      steps.map(({ write }) => write),
      token,
    )
  } catch (error) {
    if (!(error instanceof TransactionRefused)) throw error
    const meanings = error.reasons.flatMap((reason, index) => {
      if (!reason.failed) return []
      const { refused } = steps[index] as Step
      return [refused ? refused(reason.existing) : error]
    })
    // A row that moved on under us explains the other refusals, so it comes first.
    const outdated = meanings.find((meaning) => meaning instanceof StaleRead)
    if (outdated) throw outdated
    const invalid = meanings.filter((meaning) => meaning instanceof Invalid)
    if (invalid.length < meanings.length) throw meanings.find((meaning) => !(meaning instanceof Invalid))
    throw new Invalid(Object.assign({}, ...invalid.map(({ errors }) => errors)) as FieldErrors)
  }
}

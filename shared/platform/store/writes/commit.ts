import { type FieldErrors, Invalid } from '../../../kernel/failures/faults.ts'
import type { Scope, Store, Write } from '../store.ts'
import type { Item } from '../values/marshal.ts'
import { TransactionRefused } from './refusals.ts'

/** A write of a transaction, and the error to throw when its condition fails. */
export interface Step {
  readonly write: Write
  readonly refused?: (existing: Item | undefined) => Error
}

/** A row changed after it was read: the caller reads it again and retries. */
export class StaleRead extends Error {}

/**
 * Writes all steps or none. Idempotent by `token`. When conditions fail, throws a StaleRead if a refused step says so,
 * else the error of the first refused step; when all of them are Invalid, one Invalid that names every field.
 * `otherwise` maps a refusal without such a step (a retry's `again` will do); without it, throws TransactionRefused.
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
    throw error instanceof TransactionRefused ? errorOf(steps, error, otherwise) : error
  }
}

function errorOf(
  steps: readonly (Write | Step)[],
  error: TransactionRefused,
  otherwise: ((error: TransactionRefused) => Error) | undefined,
): Error {
  const errors = error.reasons.flatMap((reason, index) => {
    if (!reason.failed) return []
    const step = steps[index] as Write | Step
    if ('write' in step && step.refused) return [step.refused(reason.existing)]
    return otherwise ? [] : [error]
  })
  // A stale read explains the other refusals, so it comes first.
  const first = errors.find((one) => one instanceof StaleRead) ?? errors.find((one) => !(one instanceof Invalid))
  if (first) return first
  if (errors.length === 0) return otherwise?.(error) ?? error
  const invalid = errors as Invalid[]
  // One that names no field says all with its message.
  const whole = invalid.find((one) => Object.keys(one.errors).length === 0)
  return whole ?? new Invalid(Object.assign({}, ...invalid.map((one) => one.problems)) as FieldErrors)
}

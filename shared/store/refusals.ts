import type { Item } from './marshal.ts'

/** The condition of a write failed; `existing` is the stored item, if any. */
export class ConditionFailed extends Error {
  readonly existing: Item | undefined

  constructor(existing: Item | undefined, options?: ErrorOptions) {
    super('the condition of a write did not hold', options)
    this.name = 'ConditionFailed'
    this.existing = existing
  }
}

/** A transaction was cancelled because conditions failed. `reasons` has one entry per write, in their order. */
export class TransactionRefused extends Error {
  readonly reasons: readonly { readonly failed: boolean; readonly existing: Item | undefined }[]

  constructor(reasons: TransactionRefused['reasons'], options?: ErrorOptions) {
    super('the condition of a write in a transaction did not hold', options)
    this.name = 'TransactionRefused'
    this.reasons = reasons
  }
}

/** Whether an error is a failed condition, of a write or of a transaction. */
export const isRefusal = (error: unknown): error is ConditionFailed | TransactionRefused =>
  error instanceof ConditionFailed || error instanceof TransactionRefused

/** Awaits a conditional write or transaction; false when its condition failed. Throws every other error. */
export async function wasApplied(write: Promise<unknown>): Promise<boolean> {
  try {
    await write
    return true
  } catch (error) {
    if (isRefusal(error)) return false
    throw error
  }
}

import type { Item } from '../values/marshal.ts'

/** The condition of a write failed. */
export class ConditionFailed extends Error {
  /** Private, like the reasons below: a log prints all other members of an error, and items hold what people wrote. */
  readonly #existing: Item | undefined

  /** The stored item, if any. */
  get existing(): Item | undefined {
    return this.#existing
  }

  constructor(existing: Item | undefined, options?: ErrorOptions) {
    super('the condition of a write did not hold', options)
    this.name = 'ConditionFailed'
    this.#existing = existing
  }
}

type Reasons = readonly { readonly failed: boolean; readonly existing: Item | undefined }[]

/** A transaction was cancelled because conditions failed. */
export class TransactionRefused extends Error {
  readonly #reasons: Reasons

  /** One entry per write, in their order. */
  get reasons(): Reasons {
    return this.#reasons
  }

  constructor(reasons: Reasons, options?: ErrorOptions) {
    super('the condition of a write in a transaction did not hold', options)
    this.name = 'TransactionRefused'
    this.#reasons = reasons
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

import type { Item } from './marshal.ts'

/** A write's condition did not hold; `existing` is the item as it is, when there is one. */
export class ConditionFailed extends Error {
  readonly existing: Item | undefined

  constructor(existing: Item | undefined, options?: ErrorOptions) {
    super('the condition of a write did not hold', options)
    this.name = 'ConditionFailed'
    this.existing = existing
  }
}

/** A transaction was cancelled because conditions did not hold: one entry per write, in their order. */
export class TransactionRefused extends Error {
  readonly reasons: readonly { readonly failed: boolean; readonly existing: Item | undefined }[]

  constructor(reasons: TransactionRefused['reasons'], options?: ErrorOptions) {
    super('the condition of a write in a transaction did not hold', options)
    this.name = 'TransactionRefused'
    this.reasons = reasons
  }
}

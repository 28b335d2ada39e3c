import type { Item } from './marshal.ts'

/** A write's condition did not hold; `standing` is the item as it is, when there is one. */
export class ConditionFailed extends Error {
  readonly standing: Item | undefined

  constructor(standing: Item | undefined, options?: ErrorOptions) {
    super('the condition of a write did not hold', options)
    this.name = 'ConditionFailed'
    this.standing = standing
  }
}

/** A transaction was cancelled because conditions did not hold: one entry per write, in their order. */
export class TransactionRefused extends Error {
  readonly reasons: readonly { readonly failed: boolean; readonly standing: Item | undefined }[]

  constructor(reasons: TransactionRefused['reasons'], options?: ErrorOptions) {
    super('the condition of a write in a transaction did not hold', options)
    this.name = 'TransactionRefused'
    this.reasons = reasons
  }
}

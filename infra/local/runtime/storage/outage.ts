/** Nothing can be written: the answer of every provider that stores its data here, in AWS's words for a service that is down. */
export class StorageUnavailable extends Error {
  override readonly name = 'StorageUnavailable'
  readonly statusCode = 503
  readonly body: { readonly __type: string; readonly message: string }

  constructor(reason: string, options?: ErrorOptions) {
    super(`The data cannot be written: ${reason}.`, options)
    this.body = { __type: 'com.amazon.coral.service#ServiceUnavailable', message: this.message }
  }
}

/** A time in which nothing can be written. */
export interface Outage {
  readonly error: StorageUnavailable
  /** Resolves when writes work again. */
  readonly over: Promise<void>
}

/** Does work that must be done, if an outage prevents it then when it is over. */
export async function afterOutages<T>(storage: { outage(): Outage | undefined }, work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      const outage = storage.outage()
      if (!outage) throw error
      await outage.over
    }
  }
}

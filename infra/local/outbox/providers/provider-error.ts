/** An error of a provider, with the name and the status that AWS gives it. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError'
  readonly statusCode: number
  readonly body: { readonly __type: string; readonly message: string }

  constructor(code: string, message: string, statusCode = 400) {
    super(message)
    this.statusCode = statusCode
    this.body = { __type: code, message }
  }
}

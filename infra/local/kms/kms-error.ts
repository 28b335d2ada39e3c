/** An error of KMS, worded as KMS words it. */
export class KmsError extends Error {
  override readonly name = 'KmsError'
  readonly statusCode = 400
  readonly body: { readonly __type: string; readonly message: string }

  constructor(code: string, message: string, cause?: unknown) {
    super(message, { cause })
    this.body = { __type: code, message }
  }
}

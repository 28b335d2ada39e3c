import { Invalid } from '../../../kernel/failures/faults.ts'

/** How long a repeated key gets the first answer. */
export const idempotencyMs = 24 * 60 * 60 * 1000

/**
 * Reads an `Idempotency-Key` header of 1 to 128 visible ASCII characters; undefined without one. Throws Invalid for any
 * other value.
 */
export function readIdempotencyKey(header: string | undefined): string | undefined {
  if (header === undefined) return undefined
  if (!/^[!-~]{1,128}$/.test(header))
    throw new Invalid({ 'Idempotency-Key': ['The Idempotency-Key must be 1 to 128 visible characters.'] })
  return header
}

/** The fault for a key that was used with another body before. */
export const keyReused = (): Invalid =>
  new Invalid(
    { 'Idempotency-Key': ['The Idempotency-Key was used for another request before.'] },
    { code: 'idempotency_key_reused' },
  )

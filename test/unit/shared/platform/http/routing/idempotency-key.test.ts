import { describe, expect, it } from 'vitest'
import { readIdempotencyKey } from '../../../../../../shared/platform/http/routing/idempotency-key.ts'

describe('an Idempotency-Key', () => {
  it.each(['a', '!~', 'x'.repeat(128)])('may be %j', (key) => {
    expect(readIdempotencyKey(key)).toBe(key)
  })

  it('may be left out', () => {
    expect(readIdempotencyKey(undefined)).toBeUndefined()
  })

  it.each(['', ' ', 'a b', 'x'.repeat(129), 'ümlaut', 'a\n', '\u007f'])('may not be %j', (key) => {
    expect(() => readIdempotencyKey(key)).toThrow(
      expect.objectContaining({
        errors: { 'Idempotency-Key': ['The Idempotency-Key must be 1 to 128 visible characters.'] },
      }),
    )
  })
})

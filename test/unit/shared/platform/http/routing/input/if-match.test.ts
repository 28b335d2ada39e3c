import { describe, expect, it } from 'vitest'
import { Invalid } from '../../../../../../../shared/kernel/failures/faults.ts'
import { readIfMatch } from '../../../../../../../shared/platform/http/routing/input/if-match.ts'

describe('If-Match', () => {
  it('may be left out', () => {
    expect(readIfMatch(undefined)).toBeUndefined()
  })

  it.each([
    ['"5"', true],
    ['5', true],
    ['"4", "5"', true],
    [' 4 ,5', true],
    ['*', true],
    [' * ', true],
    ['"4"', false],
    ['"55"', false],
    ['W/"5"', false],
    ['"4", W/"5"', false],
  ])('%s agrees to version 5: %s', (header, agrees) => {
    expect(readIfMatch(header)?.(5)).toBe(agrees)
  })

  it.each(['', 'five', '"5', '5"', '"5", five', '"5",', '*, "5"', 'w/"5"', '-5'])('is invalid as %j', (header) => {
    expect(() => readIfMatch(header)).toThrow(Invalid)
  })
})

import { describe, expect, it } from 'vitest'
import { IdParam } from '../../../../../../../shared/platform/http/routing/input/path-params.ts'

describe('an id in the path', () => {
  it.each([
    ['1', 1],
    ['9007199254740991', Number.MAX_SAFE_INTEGER],
    ['0', undefined],
    ['01', undefined],
    ['-1', undefined],
    ['1.0', undefined],
    ['1e3', undefined],
    ['abc', undefined],
    ['', undefined],
    ['9007199254740992', undefined],
    ['1\n', undefined],
  ])('is read from %j as %s', (text, id) => {
    expect(IdParam.safeParse(text).data).toBe(id)
  })
})

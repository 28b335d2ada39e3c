import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Invalid } from '../../../../../../shared/kernel/failures/faults.ts'
import { maxPerPage } from '../../../../../../shared/kernel/limits/requests.ts'
import { PageQuery } from '../../../../../../shared/platform/http/paging/page-query.ts'
import { parseInput } from '../../../../../../shared/platform/http/routing/input/parse-input.ts'

const read = (query: Record<string, string>) => parseInput(PageQuery, query, 'query')

describe('page and per_page', () => {
  it.each<[Record<string, string>, number, number]>([
    [{}, 1, 25],
    [{ page: '', per_page: '' }, 1, 25],
    [{ page: '7', per_page: '10' }, 7, 10],
    [{ page: '0', per_page: '0' }, 1, 1],
    [{ page: '-3', per_page: '-3' }, 1, 1],
    [{ per_page: '1001' }, 1, 1000],
    [{ page: '999999999999999', per_page: '999999999999999' }, 999_999_999_999_999, 1000],
    [{ page: ' 2 ', per_page: '+5' }, 2, 5],
  ])('are read from %j as page %d with %d rows', (query, page, perPage) => {
    expect(read(query)).toMatchObject({ page, per_page: perPage })
  })

  it.each(['abc', '1.5', '1e3', '0x10', 'NaN', 'Infinity', '1 2', '９', '1,2', '9'.repeat(16)])(
    'are refused when one is %j',
    (value) => {
      for (const name of ['page', 'per_page']) {
        expect(() => read({ [name]: value })).toThrow(
          expect.objectContaining({ errors: { [name]: [`The ${name} must be an integer.`] } }),
        )
      }
    },
  )

  it('are integers within their bounds, or refused, for any input', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.integer().map(String), fc.double().map(String)), (asked) => {
        try {
          const { page, per_page: perPage } = read({ page: asked, per_page: asked })
          expect(Number.isSafeInteger(page) && page >= 1).toBe(true)
          expect(Number.isSafeInteger(perPage) && perPage >= 1 && perPage <= maxPerPage).toBe(true)
        } catch (error) {
          if (!(error instanceof Invalid)) throw error
        }
      }),
    )
  })

  it('come with a cursor of at most 2,000 characters', () => {
    expect(read({ cursor: 'abc' }).cursor).toBe('abc')
    expect(() => read({ cursor: 'x'.repeat(2001) })).toThrow(Invalid)
  })
})

import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { Invalid } from '../../../../../../shared/kernel/failures/faults.ts'
import { listQuery } from '../../../../../../shared/platform/http/paging/page-query.ts'
import { pageOfWholeList } from '../../../../../../shared/platform/http/paging/whole-list.ts'
import { parseInput } from '../../../../../../shared/platform/http/routing/input/parse-input.ts'

const rows = (...ids: number[]) => ids.map((id) => ({ id }))
const idsOf = ({ items }: { items: readonly { id: number }[] }) => items.map(({ id }) => id)
const first = { page: 1, per_page: 2 }
const whole = { page: 1, per_page: 25 }
const Thing = z.object({ id: z.int(), name: z.string().nullable(), position: z.int(), tags: z.array(z.string()) })
const asked = (query: Record<string, string>) => {
  const { sort, search } = parseInput(listQuery(Thing), query, 'query')
  return { sort, search }
}

describe('a page of a list in memory', () => {
  it('leads by cursor to the end of the list', () => {
    const all = rows(9, 7, 5, 3, 1)
    const start = pageOfWholeList('things', all, first)
    const middle = pageOfWholeList('things', all, { ...first, cursor: start.nextCursor })
    const end = pageOfWholeList('things', all, { ...first, page: 3, cursor: middle.nextCursor })
    expect([idsOf(start), idsOf(middle), idsOf(end)]).toEqual([[9, 7], [5, 3], [1]])
    expect([start.page, middle.page, middle.offset, middle.total, end.nextCursor]).toEqual([1, null, 2, 5, null])
  })

  it('continues after the last row when rows are added or removed meanwhile', () => {
    const cursor = pageOfWholeList('things', rows(9, 7, 5, 3, 1), first).nextCursor
    expect(idsOf(pageOfWholeList('things', rows(11, 9, 7, 5, 3, 1), { ...first, cursor }))).toEqual([5, 3])
    expect(idsOf(pageOfWholeList('things', rows(9, 5, 3, 1), { ...first, cursor }))).toEqual([5, 3])
    expect(idsOf(pageOfWholeList('things', [], { ...first, cursor }))).toEqual([])
  })

  it('is sorted by several keys, without a value last in both directions, and by id in the end', () => {
    const all = [
      { id: 4, name: 'Ärger', position: 2 },
      { id: 3, name: null, position: 2 },
      { id: 2, name: 'zebra', position: 1 },
      { id: 1, name: 'Apfel', position: 2 },
    ]
    const sorted = (sort: string) => idsOf(pageOfWholeList('things', all, { ...whole, ...asked({ sort }) }))
    expect(sorted('name')).toEqual([1, 4, 2, 3])
    expect(sorted('-name')).toEqual([2, 4, 1, 3])
    expect(sorted('-position')).toEqual([4, 3, 1, 2])
    expect(sorted('position')).toEqual([2, 1, 3, 4])
    expect(sorted('position, -name')).toEqual([2, 4, 1, 3])
  })

  it('holds what has all words of the search, in any case and without accents', () => {
    const all = [
      { id: 2, name: 'Élodie Smith', position: 1 },
      { id: 1, name: 'Elodie Jones', position: 1 },
    ]
    const found = (search: string) => idsOf(pageOfWholeList('things', all, { ...whole, ...asked({ search }) }))
    expect([found('elodie'), found('ÉLO smi'), found('smith jones'), found(' ')]).toEqual([[2, 1], [2], [], [2, 1]])
  })

  it('continues by a cursor of the same order and search alone', () => {
    const all = rows(9, 7, 5, 3, 1)
    const upwards = { ...first, ...asked({ sort: 'id' }) }
    const { nextCursor: cursor } = pageOfWholeList('things', all, upwards)
    expect(idsOf(pageOfWholeList('things', all, { ...upwards, cursor }))).toEqual([5, 7])
    expect(() => pageOfWholeList('things', all, { ...first, cursor })).toThrow(Invalid)
  })

  it('says by what it can be sorted', () => {
    expect(() => asked({ sort: 'nmae,-' })).toThrow(
      expect.objectContaining({
        errors: {
          sort: [
            'The list cannot be sorted by nmae. Did you mean name?',
            'The sort has a - without a name. Write it before a name, such as -id.',
          ],
        },
      }),
    )
  })

  it('is refused for the cursor of another list', () => {
    expect(() => pageOfWholeList('things', rows(1), { ...first, cursor: 'zzz' })).toThrow(Invalid)
  })
})

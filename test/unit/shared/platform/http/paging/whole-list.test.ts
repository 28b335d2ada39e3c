import { describe, expect, it } from 'vitest'
import { Invalid } from '../../../../../../shared/kernel/failures/faults.ts'
import { pageOfWholeList } from '../../../../../../shared/platform/http/paging/whole-list.ts'

const rows = (...ids: number[]) => ids.map((id) => ({ id }))
const idsOf = ({ items }: { items: readonly { id: number }[] }) => items.map(({ id }) => id)
const first = { page: 1, per_page: 2 }

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

  it('is refused for the cursor of another list', () => {
    expect(() => pageOfWholeList('things', rows(1), { ...first, cursor: 'zzz' })).toThrow(Invalid)
  })
})

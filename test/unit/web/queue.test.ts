import { describe, expect, it } from 'vitest'
import { conditionsOf, filterOf } from '../../../web/queue/conditions.ts'
import { lengthOf, placeAt, sectionsOf } from '../../../web/queue/layout.ts'
import { readQueueSearch } from '../../../web/queue/queue-search.ts'
import { readSignInSearch } from '../../../web/session/sign-in-search.ts'

describe('the conditions of a filter', () => {
  it.each([
    [undefined, []],
    [{ status: 'open' }, [{ field: 'status', operator: '_eq', value: 'open' }]],
    [{ status: ['a', 'b'] }, [{ field: 'status', operator: '_in', value: ['a', 'b'] }]],
    [
      { _and: [{ status: { _in: ['new'] } }, { priority: { _gte: 3, _lte: 5 } }] },
      [
        { field: 'status', operator: '_in', value: ['new'] },
        { field: 'priority', operator: '_gte', value: 3 },
        { field: 'priority', operator: '_lte', value: 5 },
      ],
    ],
  ])('of %j are shown one by one', (filter, conditions) => {
    expect(conditionsOf(filter)).toEqual(conditions)
  })

  it.each([{ _or: [{ a: 1 }] }, { _and: [{ _not: { a: 1 } }] }, { client_id: { name: 'Ada' } }])(
    'are not taken apart when chips cannot show them: %j',
    (filter) => expect(conditionsOf(filter)).toBeUndefined(),
  )

  it('come back as they were', () => {
    const conditions = [
      { field: 'status', operator: '_in', value: ['new'] },
      { field: 'client_id', operator: '_null', value: true },
    ] as const
    expect(conditionsOf(filterOf(conditions))).toEqual(conditions)
    expect(filterOf([])).toBeUndefined()
  })
})

describe('the lines of a list with groups', () => {
  const groups = [
    { value: 'new', count: 3 },
    { value: null, count: 2 },
  ]

  it('are the head of each group and its records', () => {
    const sections = sectionsOf(groups, new Set())
    expect(lengthOf(sections)).toBe(7)
    expect(Array.from({ length: 8 }, (_, at) => placeAt(sections, at)?.row)).toEqual([-1, 0, 1, 2, -1, 0, 1, undefined])
    expect(placeAt(sections, 5)?.section.group?.value).toBeNull()
  })

  it('leave out the records of a closed group', () => {
    const sections = sectionsOf(groups, new Set(['"new"']))
    expect(Array.from({ length: 5 }, (_, at) => placeAt(sections, at)?.row)).toEqual([-1, -1, 0, 1, undefined])
  })
})

describe('the address of a list', () => {
  it('is read as far as it is understood', () => {
    expect(readQueueSearch({ filter: { a: 1 }, q: 'x', sort: ['-id'], columns: 'id', group: '', other: 1 })).toEqual({
      filter: { a: 1 },
      q: 'x',
      sort: ['-id'],
    })
  })
})

describe('the address after a sign-in', () => {
  it.each([
    ['/e/requests?q=%22x%22', '/e/requests?q=%22x%22'],
    ['//evil.test', undefined],
    ['/\\evil.test', undefined],
    ['https://evil.test', undefined],
    [7, undefined],
  ])('is one of the app: %s', (to, expected) => {
    expect(readSignInSearch({ to }).to).toBe(expected)
  })
})

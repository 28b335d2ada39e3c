import { describe, expect, it } from 'vitest'
import { conditionsOf, filterOf } from '../../../web/queue/conditions.ts'
import { lengthOf, placeAt, sectionsOf } from '../../../web/queue/layout.ts'
import { readQueueSearch, shownBy, viewInputOf } from '../../../web/queue/queue-search.ts'
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

describe('what an address of a list shows', () => {
  const base = { model: 'requests', scope: 'private', roles: null, problem: null, version: 1 } as const
  const moments = { created_at: '2026-01-01T00:00:00.000Z', updated_at: '2026-01-01T00:00:00.000Z' }
  const none = { columns: [], filter: null, search: null, sort: null, group_by: null, is_default: false }
  const open = { ...base, ...moments, ...none, id: 3, name: 'Open', owner: 1, filter: { status: 'new' }, sort: ['-id'] }
  const shared = { ...base, ...moments, ...none, id: 4, name: 'All of us', owner: 2, is_default: true, search: 'vpn' }
  const own = { ...shared, id: 5, name: 'Mine', owner: 1, search: 'printer' }

  it('is everything where the table has no default view', () => {
    expect(shownBy({}, [open], 1)).toEqual({ view: undefined, list: {}, isChanged: false })
  })

  it.each([
    ['the own default view', [shared, own], own, { q: 'printer' }],
    ['the shared default view where there is no own one', [open, shared], shared, { q: 'vpn' }],
  ] as const)('is %s where it says nothing', (_name, views, view, list) => {
    expect(shownBy({}, views, 1)).toEqual({ view, list, isChanged: false })
  })

  it('is everything where it says that it wants no view', () => {
    expect(shownBy({ view: 0 }, [shared], 1)).toEqual({ view: undefined, list: {}, isChanged: false })
  })

  it('is its view, until it says something else', () => {
    const list = { filter: { status: 'new' }, sort: ['-id'] }
    expect(shownBy({ view: 3 }, [open], 1)).toEqual({ view: open, list, isChanged: false })
    expect(shownBy({ view: 3, changed: true, q: 'a' }, [open], 1)).toEqual({
      view: open,
      list: { q: 'a' },
      isChanged: true,
    })
  })

  it('is what it says where its view is gone', () => {
    expect(shownBy({ view: 9, q: 'a' }, [open], 1)).toEqual({ view: undefined, list: { q: 'a' }, isChanged: true })
  })

  it('is kept by a view as it is', () => {
    const list = readQueueSearch({
      filter: { a: 1 },
      q: 'x',
      sort: ['-a'],
      columns: ['a', 'client_id.name'],
      group: 'b',
    })
    const kept = viewInputOf(list)
    expect(kept.columns).toEqual(['a', 'client_id.name'])
    expect(shownBy({ view: 3 }, [{ ...open, ...(kept as object) }], 1).list).toEqual(list)
  })
})

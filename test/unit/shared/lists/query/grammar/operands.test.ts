import { describe, expect, it } from 'vitest'
import type { Expression } from '../../../../../../shared/lists/query/grammar/expression.ts'
import { matches } from '../../../../../../shared/lists/query/read/compile-predicate.ts'
import { rowOf } from '../../../../../../shared/lists/query/read/row.ts'
import { parse } from '../../../../../make/builders/lists/parsed-query.ts'

const passes = (filter: unknown, data: Record<string, unknown>, item = {}): boolean =>
  matches(
    parse({ filter }).filter,
    rowOf({ sk: '000000000007', data: JSON.stringify(data), created_by: 3, ...item }, {}) as never,
  )

describe('short forms', () => {
  it.each<[string, unknown, Record<string, unknown>, boolean]>([
    ['a value is _eq', { source: 'mail' }, { source: 'mail' }, true],
    ['a list is _in', { source: ['mail', 'phone'] }, { source: 'phone' }, true],
    ['null is _null', { source: null }, {}, true],
    ['our choice: _eq null is _null', { source: { _eq: null } }, { source: 'mail' }, false],
    ['our choice: _neq null is _nnull', { source: { _neq: null } }, { source: 'mail' }, true],
    ['several operators must all hold', { priority: { _gte: 1, _lt: 3 } }, { priority: 3 }, false],
    ['several fields must all hold', { priority: 1, source: 'mail' }, { priority: 1 }, false],
    ['an empty filter matches all', {}, {}, true],
    ['an empty _and matches all', { _and: [] }, {}, true],
    ['an empty _or matches none', { _or: [] }, {}, false],
    ['an empty list matches none', { priority: [] }, { priority: 1 }, false],
    ['a point is compared as a whole', { place: { lat: 1, lng: 2 } }, { place: { lng: 2, lat: 1 } }, true],
    ['a field of files matches by any of them', { files: { _ends_with: '.pdf' } }, { files: ['a.png', 'b.pdf'] }, true],
    ['and by none of them when denied', { files: { _neq: 'a.png' } }, { files: ['a.png', 'b.pdf'] }, false],
    ['a field without files is empty', { files: { _empty: true } }, { files: [] }, true],
  ])('%s', (_, filter, data, expected) => expect(passes(filter, data)).toBe(expected))
})

const operandOf = (filter: unknown): unknown => {
  const test = parse({ filter }).filter as Extract<Expression, { kind: 'test' }>
  return 'value' in test.predicate
    ? test.predicate.value
    : 'values' in test.predicate
      ? test.predicate.values
      : undefined
}

describe('a variable, at 01:30 on 30 March in Berlin, the day after summer time began,', () => {
  it.each<[unknown, unknown]>([
    [{ owner: '$CURRENT_USER' }, 3],
    [{ created_by: '$CURRENT_USER' }, 3],
    [{ unit: '$CURRENT_ORG_UNITS' }, [4, 5]],
    [{ unit: { _in: '$CURRENT_ORG_UNITS' } }, [4, 5]],
    [{ at: '$NOW' }, '2026-03-29T23:30:15.250Z'],
    [{ at: { _lt: '$NOW(-7 days)' } }, '2026-03-22T23:30:15.250Z'],
    [{ at: '$NOW( +1 month )' }, '2026-04-29T23:30:15.250Z'],
    [{ at: '$NOW(-1 month)' }, '2026-02-28T23:30:15.250Z'],
    [{ at: '$NOW(2 hours)' }, '2026-03-30T01:30:15.250Z'],
    [{ at: '$TODAY' }, '2026-03-29T22:00:00.000Z'],
    [{ at: '$TODAY(-1 day)' }, '2026-03-28T23:00:00.000Z'],
    [{ due: '$TODAY' }, '2026-03-30'],
    [{ due: '$NOW' }, '2026-03-30'],
    [{ due: '$TODAY(-30 days)' }, '2026-02-28'],
    [{ due: '$TODAY(1 year)' }, '2027-03-30'],
    [{ title: '$NOW' }, '$NOW'],
    [{ title: '$CURRENT_USER' }, '$CURRENT_USER'],
    [{ at: '2026-01-01T01:00:00+01:00' }, '2026-01-01T00:00:00.000Z'],
    [{ at: '2026-01-01' }, '2026-01-01T00:00:00.000Z'],
  ])('is resolved in %j', (filter, expected) => expect(operandOf(filter)).toEqual(expected))
})

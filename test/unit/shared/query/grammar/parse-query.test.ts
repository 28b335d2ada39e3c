import { describe, expect, it } from 'vitest'
import { Invalid } from '../../../../../shared/kernel/faults.ts'
import type { Expression } from '../../../../../shared/query/grammar/expression-types.ts'
import { parseQuery } from '../../../../../shared/query/grammar/parse-query.ts'
import type { FieldNames } from '../../../../../shared/query/grammar/resolve-field.ts'
import { matches } from '../../../../../shared/query/read/compile-predicate.ts'
import { rowOf } from '../../../../../shared/query/read/row.ts'
import type { RawQuery } from '../../../../../shared/query/schema.ts'
import { clientsTable, tableOf, thingsTable } from '../../../../make/builders/query-records.ts'

const table = tableOf(103, 'tickets', [
  ...thingsTable.table_fields,
  { name: 'owner', type: 'user' },
  { name: 'unit', type: 'org_unit' },
  { name: 'place', type: 'point' },
  { name: 'files', type: 'file', multiple: true },
])
const targets = new Map([
  ['clients', clientsTable],
  ['sys_org_units', tableOf(2, 'sys_org_units', [{ name: 'name', type: 'text' }])],
])
const everybody: FieldNames = { table, targets, mayRead: () => true }
const variables = {
  nowMs: Date.parse('2026-03-29T23:30:15.250Z'),
  timeZone: 'Europe/Berlin',
  userId: 3,
  orgUnitIds: [4, 5],
}
const parse = (raw: RawQuery, fieldNames = everybody) => parseQuery(raw, fieldNames, variables)

function errorsOf(raw: RawQuery, fieldNames?: FieldNames): Record<string, string[]> {
  try {
    parse(raw, fieldNames)
    return {}
  } catch (error) {
    return (error as Invalid).errors
  }
}

describe('an error is named by its path:', () => {
  it.each<[string, RawQuery, string, string?]>([
    ['an unknown field', { filter: { colour: 1 } }, 'filter.colour', 'There is no field colour in tickets.'],
    [
      'an unknown operator',
      { filter: { priority: { _like: 1 } } },
      'filter.priority._like',
      'There is no operator _like. For priority there are _eq, _neq, _lt, _lte, _gt, _gte, _in, _nin, _between, _null, _nnull, _empty, _nempty.',
    ],
    ['an operator without a field', { filter: { _eq: 1 } }, 'filter._eq'],
    [
      'a wrong type',
      { filter: { priority: { _gte: '3' } } },
      'filter.priority._gte',
      'The filter.priority._gte must be a number.',
    ],
    [
      'a wrong type in the short form',
      { filter: { priority: 'high' } },
      'filter.priority',
      'The filter.priority must be a number.',
    ],
    ['a wrong type in a list', { filter: { priority: { _in: [1, 'x'] } } }, 'filter.priority._in.1'],
    ['null in a list', { filter: { priority: [1, null] } }, 'filter.priority.1'],
    [
      'a value that is no list',
      { filter: { priority: { _in: 1 } } },
      'filter.priority._in',
      'The filter.priority._in must be an array.',
    ],
    [
      'a pair of three',
      { filter: { priority: { _between: [1, 2, 3] } } },
      'filter.priority._between',
      'The filter.priority._between must hold two values.',
    ],
    [
      'a flag that is no flag',
      { filter: { priority: { _null: 1 } } },
      'filter.priority._null',
      'The filter.priority._null must be true or false.',
    ],
    [
      'text operators on numbers',
      { filter: { priority: { _contains: '1' } } },
      'filter.priority._contains',
      'The operator _contains does not apply to priority, a field of type integer. Use one of _eq, _neq, _lt, _lte, _gt, _gte, _in, _nin, _between, _null, _nnull, _empty, _nempty.',
    ],
    ['an order of points', { filter: { place: { _lt: { lat: 1, lng: 1 } } } }, 'filter.place._lt'],
    [
      'a date that is none',
      { filter: { due: { _lt: '2026-02-30' } } },
      'filter.due._lt',
      'The filter.due._lt is not a valid date.',
    ],
    ['a boolean as text', { filter: { active: 'true' } }, 'filter.active', 'The filter.active must be true or false.'],
    [
      'deep inside',
      { filter: { _and: [{ _or: [{ _not: { priority: { _gte: 'x' } } }] }] } },
      'filter._and.0._or.0._not.priority._gte',
    ],
    [
      '_and that is no array',
      { filter: { _and: { priority: 1 } } },
      'filter._and',
      'The filter._and must be an array.',
    ],
    ['a member that is no object', { filter: { _or: [1] } }, 'filter._or.0', 'The filter._or.0 must be an object.'],
    ['a filter that is no object', { filter: [] as never }, 'filter', 'The filter must be an object.'],
    [
      'an unknown field of a reference',
      { filter: { 'client_id.colour': 1 } },
      'filter.client_id.colour',
      'There is no field colour in clients.',
    ],
    [
      'the same in the nested form',
      { filter: { client_id: { name: { _gte: 1 } } } },
      'filter.client_id.name._gte',
      'The filter.client_id.name._gte must be a string.',
    ],
    [
      'two steps',
      { filter: { 'client_id.owner.name': 'x' } },
      'filter.client_id.owner.name',
      'client_id.owner.name takes more than one step. One is possible, such as client_id.owner.',
    ],
    [
      'a step into what is no reference',
      { filter: { 'title.name': 'x' } },
      'filter.title.name',
      'title refers to no record.',
    ],
    ['an unpaired surrogate', { filter: { title: '\ud800' } }, 'filter.title'],
    ['a variable of another kind', { filter: { due: '$CURRENT_USER' } }, 'filter.due'],
    ['a variable that is none', { filter: { at: '$NOW(-7 fortnights)' } }, 'filter.at'],
    ['a moment outside of all calendars', { filter: { at: '$NOW(-900000 years)' } }, 'filter.at'],
    ['an unknown sort field', { sort: ['-colour'] }, 'sort', 'There is no field colour in tickets.'],
    [
      'an unknown selected field',
      { fields: ['id', 'title', 'colour'] },
      'fields.2',
      'There is no field colour in tickets.',
    ],
    [
      'an expanded field that refers to nothing',
      { expand: ['title'] },
      'expand.0',
      'title is no field that refers to a record. Those are: client_id, owner, unit, created_by, updated_by.',
    ],
    ['an unknown group', { group_by: ['colour'] }, 'group_by.0'],
    [
      'the sum of texts',
      { aggregate: { sum: ['title'], avg: null, min: null, max: null } },
      'aggregate.sum.0',
      'The sum of title cannot be taken: it needs numbers.',
    ],
  ])('%s', (_, raw, path, message) => {
    const errors = errorsOf(raw)
    expect(Object.keys(errors)).toEqual([path])
    expect(errors[path]).toEqual([message ?? errors[path]?.[0]])
  })

  it('every error of a query in one answer', () => {
    expect(
      Object.keys(
        errorsOf({ filter: { a: 1, priority: { _gte: 'x', _lt: 'y' } }, sort: ['b'], fields: ['c'], expand: ['d'] }),
      ),
    ).toEqual(['filter.a', 'filter.priority._gte', 'filter.priority._lt', 'sort', 'fields.0', 'expand.0'])
  })

  it('too much nesting, too many tests and too many values', () => {
    const nested = (depth: number): object => (depth === 0 ? { priority: 1 } : { _not: nested(depth - 1) })
    expect(Object.keys(errorsOf({ filter: nested(31) }))).toEqual([])
    expect(JSON.stringify(errorsOf({ filter: nested(32) }))).toContain('nested deeper than 32 levels')
    expect(
      JSON.stringify(errorsOf({ filter: { _or: Array.from({ length: 301 }, () => ({ priority: 1 })) } })),
    ).toContain('more than 300 tests')
    expect(errorsOf({ filter: { priority: Array.from({ length: 1001 }, (_, n) => n) } })['filter.priority']).toEqual([
      'The filter.priority may not have more than 1000 items.',
    ])
  })
})

describe('our choice: references to tables the caller may not read', () => {
  const stranger: FieldNames = { ...everybody, mayRead: () => false }
  it('cannot be used in filter and sort', () => {
    expect(Object.keys(errorsOf({ filter: { 'client_id.name': 'x' }, sort: ['client_id.name'] }, stranger))).toEqual([
      'filter.client_id.name',
      'sort',
    ])
  })
  it('stay unexpanded, without an error', () => {
    const { selection } = parse({ fields: ['title', 'client_id.name', 'owner.name'], expand: ['unit'] }, stranger)
    expect([...selection.expand.keys()]).toEqual(['owner'])
  })
  it('expand a user to id and name only', () => {
    expect(errorsOf({ fields: ['owner.email'] })).toEqual({
      'fields.0': ['Of people only id and name can be asked for.'],
    })
  })
})

const passes = (filter: unknown, data: Record<string, unknown>, item = {}): boolean =>
  matches(
    parse({ filter }).filter,
    rowOf({ sk: '000000000007', data: JSON.stringify(data), created_by: 3, ...item }) as never,
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

describe('sort', () => {
  const orderOf = (sort: string[]) =>
    parse({ sort }).order.map(({ field, descending }) => `${descending ? '-' : ''}${field.path}`)
  it.each<[string[], string[]]>([
    [[], ['-id']],
    [['priority'], ['priority', 'id']],
    [['-priority'], ['-priority', '-id']],
    [
      ['-priority', 'id'],
      ['-priority', 'id'],
    ],
    [
      ['title', '-client_id.name'],
      ['title', '-client_id.name', '-id'],
    ],
    [['id', 'title'], ['id']],
    [
      ['title', '-title'],
      ['title', 'id'],
    ],
  ])('%j means %j', (sort, expected) => expect(orderOf(sort)).toEqual(expected))

  it('is by relevance for a search without a sort', () => {
    expect(parse({ search: 'x' }).order.map(({ field }) => field.path)).toEqual(['$rank', 'id'])
    expect(parse({ search: 'x', sort: ['title'] }).order[0]?.field.path).toBe('title')
  })
})

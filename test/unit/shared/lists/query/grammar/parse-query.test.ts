import { describe, expect, it } from 'vitest'
import { Invalid } from '../../../../../../shared/kernel/failures/faults.ts'
import type { FieldNames } from '../../../../../../shared/lists/query/grammar/resolve-field.ts'
import type { RawQuery } from '../../../../../../shared/lists/query/schema.ts'
import { everybody, parse } from '../../../../../make/builders/lists/parsed-query.ts'

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
    [
      'a variable that is none',
      { filter: { at: '$NOW(-7 fortnights)' } },
      'filter.at',
      'The filter.at is not a valid date. Write a variable such as $NOW, $TODAY or $NOW(-7 days), in seconds, minutes, hours, days, weeks, months or years.',
    ],
    [
      'a misspelt variable',
      { filter: { owner: { _neq: '$CURENT_USER' } } },
      'filter.owner._neq',
      'The filter.owner._neq must be a number. There is no variable $CURENT_USER for it. Did you mean $CURRENT_USER?',
    ],
    [
      'a variable that stands for no number',
      { filter: { owner: '$NOW' } },
      'filter.owner',
      'The filter.owner must be a number. There is no variable $NOW for it. There are: $CURRENT_USER, $CURRENT_ORG_UNITS.',
    ],
    ['a moment outside of all calendars', { filter: { at: '$NOW(-900000 years)' } }, 'filter.at'],
    [
      'a sort without a name',
      { sort: ['-', 'id'] },
      'sort',
      'The sort has a - without a name. Write it before a field, such as -id.',
    ],
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

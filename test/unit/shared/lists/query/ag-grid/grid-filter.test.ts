import { describe, expect, it } from 'vitest'
import { presetNames, readGridDate, readPreset } from '../../../../../../shared/lists/query/ag-grid/calendar-ranges.ts'
import { readGridFilter } from '../../../../../../shared/lists/query/ag-grid/grid-filter.ts'
import type { ValueKind } from '../../../../../../shared/tables/field-types/declaration.ts'
import { inheritedNames } from '../../../../../make/loads/hostile-values.ts'

const calendar = { nowMs: Date.parse('2026-11-23T23:30:00Z'), timeZone: 'UTC' }
const vienna = { ...calendar, timeZone: 'Europe/Vienna' }

function translate(kind: ValueKind | undefined, model: unknown, inRangeInclusive = false) {
  const errors = {}
  const filter = readGridFilter({ name: 'x', kind, place: ['x'] }, model, 'filterModel.x', {
    calendar,
    inRangeInclusive,
    errors,
  })
  return Object.keys(errors).length > 0 ? errors : filter
}

describe('a filter of the grid that names what every object has', () => {
  it.each(inheritedNames)('is refused: %s', (name) => {
    for (const kind of ['text', 'number', 'date', 'datetime', 'boolean', undefined] as const)
      for (const model of [
        { filterType: name, type: 'equals', filter: 'a' },
        { filterType: 'text', type: name, filter: 'a' },
        { filterType: 'number', type: name, filter: 1 },
        { filterType: 'date', type: name, dateFrom: '2026-11-20' },
        JSON.parse(`{"filterType":"text","type":"equals","filter":"a","${name}":1}`),
      ])
        expect(Object.values(translate(kind, model)).flat()).toEqual([expect.stringContaining(name)])
    expect(readPreset(name, 'date', calendar)).toBeUndefined()
  })
})

describe('a filter of the grid', () => {
  it.each<[ValueKind, object, object]>([
    ['text', { filterType: 'text', type: 'equals', filter: 'A' }, { x: { _ieq: 'A' } }],
    ['text', { filterType: 'text', type: 'notEqual', filter: 'A' }, { _not: { x: { _ieq: 'A' } } }],
    ['text', { filterType: 'object', type: 'endsWith', filter: 'A' }, { x: { _iends_with: 'A' } }],
    ['text', { filterType: 'text', type: 'empty' }, {}],
    ['text', { filterType: 'text', type: 'notBlank' }, { x: { _nempty: true } }],
    ['number', { filterType: 'bigint', type: 'greaterThan', filter: '12' }, { x: { _gt: 12 } }],
    ['number', { filterType: 'number', type: 'inRange', filter: 1, filterTo: 3 }, { x: { _gt: 1, _lt: 3 } }],
    ['number', { filterType: 'text', type: 'equals', filter: '12' }, { x: { _eq: 12 } }],
    ['boolean', { filterType: 'boolean', type: 'false' }, { x: { _eq: false } }],
    [
      'boolean',
      { filterType: 'set', values: ['true', null] },
      { _or: [{ x: { _in: [true] } }, { x: { _empty: true } }] },
    ],
    ['date', { filterType: 'dateString', type: 'greaterThan', filter: '2026-11-20' }, { x: { _gt: '2026-11-20' } }],
    [
      'date',
      { filterType: 'date', type: 'notEqual', dateFrom: '2026-11-20' },
      { _not: { x: { _gte: '2026-11-20', _lte: '2026-11-20' } } },
    ],
    [
      'datetime',
      { filterType: 'date', type: 'inRange', dateFrom: '2026-11-20 00:00:00', dateTo: '2026-11-23T00:00:00' },
      { x: { _gt: '2026-11-20T23:59:59.999Z', _lt: '2026-11-23T00:00:00.000Z' } },
    ],
    [
      'datetime',
      { filterType: 'dateTime', type: 'equals', filter: '2026-11-20T00:00:00' },
      { x: { _gte: '2026-11-20T00:00:00.000Z', _lte: '2026-11-20T00:00:00.999Z' } },
    ],
    [
      'number',
      { operator: 'OR', condition1: { type: 'equals', filter: 1 }, condition2: { type: 'blank' } },
      { _or: [{ x: { _eq: 1 } }, { x: { _empty: true } }] },
    ],
  ])('of %s: %j', (kind, model, expected) => expect(translate(kind, model)).toEqual(expected))

  it('holds the ends of a range only when it says so', () => {
    const range = { filterType: 'number', type: 'inRange', filter: 1, filterTo: 3 }
    expect(translate('number', range, true)).toEqual({ x: { _gte: 1, _lte: 3 } })
    expect(translate('number', { ...range, inRangeInclusive: false }, true)).toEqual({ x: { _gt: 1, _lt: 3 } })
  })

  it.each<[ValueKind | undefined, unknown, string]>([
    ['text', 'x', 'must be an object'],
    ['text', { filterType: 'txt', type: 'equals', filter: 'x' }, 'The filterType txt is not supported'],
    ['text', { filterType: 'text' }, 'A filter needs a type: one of equals'],
    ['text', { filterType: 'text', type: 'contains' }, 'must be a string'],
    ['text', { filterType: 'date', type: 'today' }, 'The date filter today does not apply to x, which holds text'],
    ['point', { filterType: 'number', type: 'lessThan', filter: 1 }, 'which holds points.'],
    ['number', { filterType: 'number', type: 'inRange', filter: 1 }, 'must be a number'],
    ['date', { filterType: 'date', type: 'inRange', dateFrom: '2026-11-20' }, 'needs a date such as'],
    ['text', { filterType: 'set' }, 'values must be an array'],
    ['text', { filterType: 'set', type: 'isSomeOf', values: [] }, 'Did you mean isNoneOf?'],
    ['text', { filterType: 'multi' }, 'filterModels must be an array'],
    ['text', { operator: 'NOT', conditions: [] }, 'must be AND or OR'],
  ])('of %s is refused: %j', (kind, model, message) => {
    expect(JSON.stringify(translate(kind, model))).toContain(message)
  })
})

describe('a preset of the grid', () => {
  it.each([
    ['today', '2026-11-23', '2026-11-23'],
    ['yesterday', '2026-11-22', '2026-11-22'],
    ['tomorrow', '2026-11-24', '2026-11-24'],
    ['thisWeek', '2026-11-23', '2026-11-29'],
    ['lastWeek', '2026-11-16', '2026-11-22'],
    ['nextWeek', '2026-11-30', '2026-12-06'],
    ['thisMonth', '2026-11-01', '2026-11-30'],
    ['lastMonth', '2026-10-01', '2026-10-31'],
    ['nextMonth', '2026-12-01', '2026-12-31'],
    ['thisQuarter', '2026-10-01', '2026-12-31'],
    ['lastQuarter', '2026-07-01', '2026-09-30'],
    ['nextQuarter', '2027-01-01', '2027-03-31'],
    ['thisYear', '2026-01-01', '2026-12-31'],
    ['lastYear', '2025-01-01', '2025-12-31'],
    ['nextYear', '2027-01-01', '2027-12-31'],
    ['yearToDate', '2026-01-01', '2026-11-23'],
    ['last7Days', '2026-11-16', '2026-11-23'],
    ['last30Days', '2026-10-24', '2026-11-23'],
    ['last90Days', '2026-08-25', '2026-11-23'],
    ['last6Months', '2026-05-23', '2026-11-23'],
    ['last12Months', '2025-11-23', '2026-11-23'],
    ['last24Months', '2024-11-23', '2026-11-23'],
  ])('%s is from %s to %s', (name, first, last) => {
    expect(presetNames).toContain(name)
    expect(readPreset(name, 'date', calendar)).toEqual({ first, last })
    expect(translate('date', { filterType: 'date', type: name })).toEqual({ x: { _gte: first, _lte: last } })
  })

  it('of a datetime is in days of the time zone', () => {
    expect(readPreset('today', 'datetime', vienna)).toEqual({
      first: '2026-11-23T23:00:00.000Z',
      last: '2026-11-24T22:59:59.999Z',
    })
    expect(readGridDate('2026-03-29', 'datetime', vienna, false)).toEqual({
      first: '2026-03-28T23:00:00.000Z',
      last: '2026-03-29T21:59:59.999Z',
    })
  })

  it.each(['2026-02-30', '2026-11-20 24:00:00', 'soon', 20261120, null])('no date: %j', (text) => {
    expect(readGridDate(text, 'datetime', calendar, false)).toBeUndefined()
  })
})

import { own } from '../../../kernel/collections/own-members.ts'
import type { FieldErrors } from '../../../kernel/failures/faults.ts'
import { nearestWord } from '../../../kernel/text/did-you-mean.ts'
import type { ValueKind } from '../../../tables/field-types/declaration.ts'
import type { GridFilterKind } from '../kinds/kind.ts'
import { kinds } from '../kinds/kinds.ts'
import { type Calendar, type DateRange, presetNames, readGridDate, readPreset } from './calendar-ranges.ts'
import type { GridColumn } from './grid-columns.ts'

type Model = Readonly<Record<string, unknown>>
export type Filter = Readonly<Record<string, unknown>>

/** What the translation of filters needs besides the filters. */
export interface GridFilterContext {
  readonly calendar: Calendar
  /** Whether a range holds its two ends; a condition may say otherwise. The grid's default is false. */
  readonly inRangeInclusive: boolean
  /** Gets what cannot be translated, by path. */
  readonly errors: FieldErrors
}

const texts: Readonly<Record<string, (text: unknown) => Filter>> = {
  equals: (text) => ({ _ieq: text }),
  contains: (text) => ({ _icontains: text }),
  startsWith: (text) => ({ _istarts_with: text }),
  endsWith: (text) => ({ _iends_with: text }),
}
const complements: Readonly<Record<string, string>> = { notEqual: 'equals', notContains: 'contains' }

const scalars: Readonly<Record<string, (value: unknown) => Filter>> = {
  equals: (value) => ({ _eq: value }),
  notEqual: (value) => ({ _neq: value }),
  lessThan: (value) => ({ _lt: value }),
  lessThanOrEqual: (value) => ({ _lte: value }),
  greaterThan: (value) => ({ _gt: value }),
  greaterThanOrEqual: (value) => ({ _gte: value }),
}
const dates: Readonly<Record<string, (range: DateRange) => Filter>> = {
  equals: ({ first, last }) => ({ _gte: first, _lte: last }),
  lessThan: ({ first }) => ({ _lt: first }),
  lessThanOrEqual: ({ last }) => ({ _lte: last }),
  greaterThan: ({ last }) => ({ _gt: last }),
  greaterThanOrEqual: ({ first }) => ({ _gte: first }),
}
const withoutOperand: Readonly<Record<string, Filter>> = {
  blank: { _empty: true },
  notBlank: { _nempty: true },
  true: { _eq: true },
  false: { _eq: false },
}

const filterKinds: Readonly<Record<string, GridFilterKind>> = {
  text: 'text',
  object: 'text',
  number: 'number',
  bigint: 'number',
  date: 'date',
  dateString: 'date',
  dateTime: 'date',
  dateTimeString: 'date',
  boolean: 'boolean',
}
const always = ['blank', 'notBlank', 'empty']
const typesOf: Readonly<Record<GridFilterKind, readonly string[]>> = {
  text: [...Object.keys(texts), ...Object.keys(complements), ...always],
  number: [...Object.keys(scalars), 'inRange', ...always],
  date: [...Object.keys(dates), 'notEqual', 'inRange', ...always, ...presetNames],
  boolean: ['true', 'false', 'equals', 'notEqual', ...always],
}
const members = [
  'filterType',
  'colId',
  'type',
  'filter',
  'filterTo',
  'dateFrom',
  'dateTo',
  'inRangeInclusive',
  'operator',
  'conditions',
  'condition1',
  'condition2',
  'filterModels',
  'values',
]

/**
 * Translates the filter of one column: of the text, number, big integer, date, boolean and set filters, several of them,
 * and those joined by AND or OR. What it cannot translate is added to the errors under its path. `inherited`: the
 * filterType of the filter around a condition, which the condition itself may leave out.
 */
export function readGridFilter(
  column: GridColumn,
  given: unknown,
  path: string,
  context: GridFilterContext,
  inherited?: string,
): Filter {
  const refuse = (message: string, at = path): Filter => {
    context.errors[at] = [message]
    return {}
  }
  if (given === null) return {}
  if (typeof given !== 'object' || Array.isArray(given)) return refuse(`The ${path} must be an object.`)
  const model = given as Model
  for (const key of Object.keys(model))
    if (!members.includes(key)) {
      const near = nearestWord(key, members)
      return refuse(
        `A filter has no member ${key}.${near === undefined ? '' : ` Did you mean ${near}?`}`,
        `${path}.${key}`,
      )
    }
  const filterType = typeof model.filterType === 'string' ? model.filterType : inherited
  if (model.operator !== undefined) return readJoined(model, filterType)
  if (filterType === 'multi') {
    if (!Array.isArray(model.filterModels)) return refuse(`The ${path}.filterModels must be an array.`)
    return {
      _and: model.filterModels.map((one, at) => readGridFilter(column, one, `${path}.filterModels.${at}`, context)),
    }
  }
  if (filterType === 'set') return readSet(model)
  return readCondition(model, filterType)

  function readJoined({ operator, conditions, condition1, condition2 }: Model, type: string | undefined): Filter {
    if (operator !== 'AND' && operator !== 'OR') return refuse('The operator must be AND or OR.', `${path}.operator`)
    const joined = conditions ?? [condition1, condition2].filter((one) => one !== undefined)
    if (!Array.isArray(joined)) return refuse(`The ${path}.conditions must be an array.`)
    return {
      [operator === 'AND' ? '_and' : '_or']: joined.map((one, at) =>
        readGridFilter(column, one, `${path}.conditions.${at}`, context, type),
      ),
    }
  }

  /** The values of a set filter are keys: text, or null for records without a value. */
  function readSet({ values, type = 'isAnyOf' }: Model): Filter {
    if (!Array.isArray(values)) return refuse(`The ${path}.values must be an array.`)
    if (type !== 'isAnyOf' && type !== 'isNoneOf') return refuse(unknownType(type, ['isAnyOf', 'isNoneOf']))
    const { name, kind } = column
    const present = values.filter((value) => value !== null)
    // The grid makes a key of each of several values.
    const among =
      kind && kinds[kind].whole
        ? { [name]: { _has_any: present } }
        : { [name]: { _in: present.map((value) => keyValue(value, kind)) } }
    const any = values.includes(null) ? { _or: [among, { [name]: { _empty: true } }] } : among
    return type === 'isAnyOf' ? any : { _not: any }
  }

  function readCondition(condition: Model, filter: string | undefined): Filter {
    const { name, kind } = column
    const asked = filter === undefined ? undefined : own(filterKinds, filter)
    if (filter !== undefined && asked === undefined)
      return refuse(
        `The filterType ${filter} is not supported. Supported are ${[...Object.keys(filterKinds), 'set', 'multi'].join(', ')}.`,
      )
    const fitting = kind && kinds[kind].grid.filter
    const used = asked ?? fitting ?? 'text'
    const type = condition.type
    if (typeof type !== 'string' || !typesOf[used].includes(type)) return refuse(unknownType(type, typesOf[used]))
    if (type === 'empty') return {}
    const fixed = own(withoutOperand, type)
    if (fixed !== undefined) return { [name]: fixed }
    // Equality works for values of every kind, as text or not.
    const isEquality = (type === 'equals' || type === 'notEqual') && used !== 'date'
    if (kind !== undefined && used !== fitting && !isEquality) {
      const better = fitting === undefined ? '' : ` Use a ${fitting} filter.`
      return refuse(
        `The ${used} filter ${type} does not apply to ${name}, which holds ${kinds[kind].grid.holds}.${better}`,
      )
    }
    if (used === 'date')
      return readDate(condition, type, kind === 'datetime' || kind === undefined ? 'datetime' : 'date')
    return used === 'text' && (kind === 'text' || kind === undefined)
      ? readText(condition.filter, type)
      : readScalar(condition, type)
  }

  function readText(text: unknown, type: string): Filter {
    if (typeof text !== 'string') return refuse(`The ${path} must be a string.`)
    const complement = own(complements, type)
    const found = { [column.name]: own(texts, complement ?? type)?.(text) }
    return complement === undefined ? found : { _not: found }
  }

  function readScalar({ filter: from, filterTo: to, inRangeInclusive }: Model, type: string): Filter {
    const { name, kind } = column
    const value = (one: unknown) => keyValue(one, kind)
    if (kind === 'number')
      for (const one of type === 'inRange' ? [from, to] : [from])
        if (typeof value(one) !== 'number') return refuse(`The ${path} must be a number.`)
    if (type !== 'inRange') return { [name]: own(scalars, type)?.(value(from)) }
    return { [name]: within(inRangeInclusive, value(from), value(to), value(from), value(to)) }
  }

  function readDate(condition: Model, type: string, kind: 'date' | 'datetime'): Filter {
    const { calendar } = context
    const preset = readPreset(type, kind, calendar)
    if (preset) return { [column.name]: dates.equals?.(preset) }
    const isTime = String(condition.filterType).startsWith('dateTime')
    const ends = [condition.dateFrom ?? condition.filter, condition.dateTo ?? condition.filterTo]
    const [from, to] = ends.map((end) => readGridDate(end, kind, calendar, isTime))
    if (!from || (type === 'inRange' && !to))
      return refuse(`The ${path} needs a date such as 2026-11-20${kind === 'date' ? '' : ' or 2026-11-20 10:30:00'}.`)
    if (type === 'notEqual') return { _not: { [column.name]: dates.equals?.(from) } }
    if (type === 'inRange' && to)
      return { [column.name]: within(condition.inRangeInclusive, from.first, to.last, from.last, to.first) }
    return { [column.name]: own(dates, type)?.(from) }
  }

  function within(inclusive: unknown, first: unknown, last: unknown, after: unknown, before: unknown): Filter {
    return (inclusive ?? context.inRangeInclusive) === true ? { _gte: first, _lte: last } : { _gt: after, _lt: before }
  }
}

function unknownType(type: unknown, known: readonly string[]): string {
  if (typeof type !== 'string') return `A filter needs a type: one of ${known.join(', ')}.`
  const near = nearestWord(type, known)
  return `The filter type ${type} is not supported. ${near === undefined ? `Supported are ${known.join(', ')}.` : `Did you mean ${near}?`}`
}

/** The value of a grid key: the grid turns numbers and booleans into text. */
export function keyValue(key: unknown, kind: ValueKind | undefined): unknown {
  const readKey = kind && kinds[kind].grid.readKey
  return typeof key === 'string' && readKey ? readKey(key) : key
}

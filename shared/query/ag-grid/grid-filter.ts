import type { FieldErrors } from '../../kernel/faults.ts'
import type { ValueKind } from '../grammar/value-kind.ts'

/** A filtered column; `kind` is undefined when it is not a field of the table itself. */
export interface GridColumn {
  readonly name: string
  readonly kind: ValueKind | undefined
}
type Model = Readonly<Record<string, unknown>>
type Filter = Record<string, unknown>

/** The grid's operators: each turns `filter` and `filterTo` into our operators. */
const operators: Readonly<Record<string, (from: unknown, to: unknown) => Model>> = {
  equals: (from) => ({ _eq: from }),
  notEqual: (from) => ({ _neq: from }),
  contains: (from) => ({ _icontains: from }),
  startsWith: (from) => ({ _istarts_with: from }),
  endsWith: (from) => ({ _ends_with: from }),
  lessThan: (from) => ({ _lt: from }),
  lessThanOrEqual: (from) => ({ _lte: from }),
  greaterThan: (from) => ({ _gt: from }),
  greaterThanOrEqual: (from) => ({ _gte: from }),
  inRange: (from, to) => ({ _between: [from, to] }),
  blank: () => ({ _empty: true }),
  notBlank: () => ({ _nempty: true }),
  true: () => ({ _eq: true }),
  false: () => ({ _eq: false }),
}

/** The same for a datetime column filtered by days: a day is all of its moments in UTC. */
const dayOperators: Readonly<Record<string, (from: Day, to: Day | undefined) => Model>> = {
  equals: (day) => ({ _gte: day.begins, _lt: day.ends }),
  lessThan: (day) => ({ _lt: day.begins }),
  lessThanOrEqual: (day) => ({ _lt: day.ends }),
  greaterThan: (day) => ({ _gte: day.ends }),
  greaterThanOrEqual: (day) => ({ _gte: day.begins }),
  inRange: (from, to) => ({ _gte: from.begins, _lt: (to ?? from).ends }),
}

/** Translates one column's filter. Unsupported filters are added to `errors` under `path`. */
export function readGridFilter(column: GridColumn, given: unknown, path: string, errors: FieldErrors): Filter {
  const model = (typeof given === 'object' && given !== null ? given : {}) as Model
  if (model.operator === 'AND' || model.operator === 'OR') {
    const conditions = Array.isArray(model.conditions)
      ? (model.conditions as unknown[])
      : [model.condition1, model.condition2].filter((one) => one !== undefined)
    return {
      [model.operator === 'AND' ? '_and' : '_or']: conditions.map((condition, index) =>
        readGridFilter(column, condition, `${path}.conditions.${index}`, errors),
      ),
    }
  }
  if (model.filterType === 'multi' && Array.isArray(model.filterModels)) {
    const models = (model.filterModels as unknown[]).map((one, index) =>
      one === null ? {} : readGridFilter(column, one, `${path}.filterModels.${index}`, errors),
    )
    return { _and: models }
  }
  if (model.filterType === 'set') return readSet(column, Array.isArray(model.values) ? (model.values as unknown[]) : [])
  if (typeof model.type === 'string' && Object.hasOwn(operators, model.type))
    return readOperator(column, model, model.type)
  if (model.type === 'notContains') return { _not: { [column.name]: { _icontains: model.filter } } }
  errors[path] = [`The filter ${String(model.type ?? model.filterType)} is not supported.`]
  return {}
}

function readOperator({ name, kind }: GridColumn, model: Model, type: string): Filter {
  const [from, to] = [model.dateFrom ?? model.filter, model.dateTo ?? model.filterTo]
  if (model.filterType !== 'date') return { [name]: operators[type]?.(from, to) }
  if (kind === 'date') return { [name]: operators[type]?.(withoutTime(from), withoutTime(to)) }
  const [first, last] = [dayOf(from), dayOf(to)]
  if (kind === 'datetime' && first) {
    if (type === 'notEqual') return { _not: { [name]: dayOperators.equals?.(first, undefined) } }
    if (Object.hasOwn(dayOperators, type) && (type !== 'inRange' || last))
      return { [name]: dayOperators[type]?.(first, last) }
  }
  return { [name]: operators[type]?.(asMoment(from), asMoment(to)) }
}

/** The values of a set filter are keys: text, or null for records without a value. */
function readSet({ name, kind }: GridColumn, values: readonly unknown[]): Filter {
  const among = { [name]: { _in: values.filter((value) => value !== null).map((value) => keyValue(value, kind)) } }
  return values.includes(null) ? { _or: [among, { [name]: { _empty: true } }] } : among
}

/** The value of a grid key: the grid turns numbers and booleans into text. */
export function keyValue(key: unknown, kind: ValueKind | undefined): unknown {
  if (typeof key !== 'string') return key
  if (kind === 'number' && /^-?\d+(\.\d+)?$/.test(key)) return Number(key)
  if (kind === 'boolean' && (key === 'true' || key === 'false')) return key === 'true'
  return key
}

/** The start of a day and of the next one, as ISO times. */
interface Day {
  readonly begins: string
  readonly ends: string
}
const dayMs = 86_400_000

/** Parses a day as the grid sends it, `2026-11-20 00:00:00`; undefined for another time of the day. */
function dayOf(value: unknown): Day | undefined {
  const day = typeof value === 'string' ? /^(\d{4}-\d{2}-\d{2})(?:[ T]00:00:00)?$/.exec(value)?.[1] : undefined
  const begins = day === undefined ? Number.NaN : Date.parse(`${day}T00:00:00.000Z`)
  return Number.isNaN(begins) || begins + dayMs > Date.parse('9999-12-31T23:59:59Z')
    ? undefined
    : { begins: new Date(begins).toISOString(), ends: new Date(begins + dayMs).toISOString() }
}

const withoutTime = (value: unknown): unknown =>
  typeof value === 'string' ? value.replace(/[ T]\d{2}:\d{2}(:\d{2})?$/, '') : value
const asMoment = (value: unknown): unknown => (typeof value === 'string' ? value.replace(' ', 'T') : value)

import { Invalid, type FieldErrors } from '../faults.ts'
import type { Aggregate, ListBody, RawQuery } from './schema.ts'
import { measures, type Measure } from './parse-aggregate.ts'

/** What AG Grid asks for, as a query of our own. */
export interface GridRequest {
  readonly query: RawQuery
  readonly offset: number
  readonly limit: number
}

const defaultRows = 100
const maxRows = 1000

/** Whether a body is a request of AG Grid's server-side row model. */
export const isGridRequest = (body: ListBody): boolean => body.startRow !== undefined || body.endRow !== undefined || body.filterModel !== undefined || body.sortModel !== undefined

/** Translates a grid's request: its filter and sort models, its groups and the rows between `startRow` and `endRow`. */
export function readGridRequest(body: ListBody): GridRequest {
  const errors: FieldErrors = {}
  const groups = (body.rowGroupCols ?? []).map(({ field, id }) => nameOf(field ?? id ?? ''))
  const opened = (body.groupKeys ?? []).map((key, depth) => ({ [groups[depth] ?? '']: key === null ? { _null: true } : { _eq: key } }))
  const filters = Object.entries(body.filterModel ?? {}).map(([column, model]) => readModel(nameOf(column), model, `filterModel.${column}`, errors))
  const grouped = groups[opened.length]
  const query: RawQuery = {
    search: body.search,
    fields: body.fields,
    expand: body.expand,
    filter: { _and: [...(body.filter ? [body.filter] : []), ...opened, ...filters] },
    sort: (body.sortModel ?? []).map(({ colId, sort }) => `${sort === 'desc' ? '-' : ''}${nameOf(colId)}`),
    ...(grouped !== undefined && { group_by: [grouped], aggregate: readValueColumns(body.valueCols ?? [], errors), sort: [] }),
  }
  if (Object.keys(errors).length > 0) throw new Invalid(errors)
  const offset = body.startRow ?? 0
  return { query, offset, limit: Math.min(maxRows, Math.max(1, (body.endRow ?? offset + defaultRows) - offset)) }
}

/** Grids name a column by the path of its value in a row. */
const nameOf = (column: string): string => column.replace(/^data\./, '').replace(/^expanded\.([^.]+)\.(data\.)?/, '$1.')

function readValueColumns(columns: NonNullable<ListBody['valueCols']>, errors: FieldErrors): Aggregate {
  const aggregate: Record<string, unknown> = { count: '*' }
  for (const [index, { field, id, aggFunc }] of columns.entries()) {
    if (aggFunc === 'count') continue
    if (!measures.includes(aggFunc as Measure)) errors[`valueCols.${index}.aggFunc`] = [`The aggFunc ${aggFunc} is not supported.`]
    else ((aggregate[aggFunc as Measure] ??= []) as string[]).push(nameOf(field ?? id ?? ''))
  }
  return aggregate as Aggregate
}

type Model = Readonly<Record<string, unknown>>

/** The grid's own operators; each says what becomes of `filter` and `filterTo`. */
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

function readModel(column: string, given: unknown, path: string, errors: FieldErrors): Record<string, unknown> {
  const model = (typeof given === 'object' && given !== null ? given : {}) as Model
  if (model.operator === 'AND' || model.operator === 'OR') {
    const conditions = Array.isArray(model.conditions) ? (model.conditions as unknown[]) : [model.condition1, model.condition2].filter((one) => one !== undefined)
    const parts = conditions.map((condition, index) => readModel(column, condition, `${path}.conditions.${index}`, errors))
    return { [model.operator === 'AND' ? '_and' : '_or']: parts }
  }
  if (model.filterType === 'set') return { [column]: { _in: Array.isArray(model.values) ? model.values : [] } }
  if (typeof model.type === 'string' && Object.hasOwn(operators, model.type)) {
    const [from, to] = [model.dateFrom ?? model.filter, model.dateTo ?? model.filterTo].map((value) => (model.filterType === 'date' ? asDate(value) : value))
    return { [column]: operators[model.type]?.(from, to) }
  }
  if (model.type === 'notContains') return { _not: { [column]: { _icontains: model.filter } } }
  errors[path] = [`The filter ${String(model.type ?? model.filterType)} is not supported.`]
  return {}
}

/** The grid writes `2026-11-20 00:00:00`; of midnight only the day is meant. */
const asDate = (value: unknown): unknown => (typeof value === 'string' ? value.replace(/ 00:00:00$/, '').replace(' ', 'T') : value)

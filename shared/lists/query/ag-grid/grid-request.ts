import { byName } from '../../../kernel/collections/own-members.ts'
import { type FieldErrors, Invalid } from '../../../kernel/failures/faults.ts'
import { maxGridRows } from '../../../kernel/limits/lists.ts'
import type { Table } from '../../../tables/tables/table.ts'
import { type Measure, measures } from '../grammar/parse-aggregate.ts'
import type { Aggregate, QueryBody, RawQuery } from '../schema.ts'
import type { Calendar } from './calendar-ranges.ts'
import { type FilterPart, readFilterModel } from './filter-model.ts'
import { type GridColumn, gridColumns, type GridColumns } from './grid-columns.ts'
import { keyValue } from './grid-filter.ts'
import { type GridGroups, keyOfEmptyText, keyOfNothing } from './group-rows.ts'

/** A request of AG Grid, translated to our query language. */
export interface GridRequest {
  readonly query: RawQuery
  readonly offset: number
  readonly limit: number
  /** The grid asked for more rows at once than an answer may have. */
  readonly isCut: boolean
  /** What the rows are groups of; undefined for records. */
  readonly groups?: GridGroups
  /** For each part of the query, its path in the grid's request: `filterModel.title`. */
  readonly paths: ReadonlyMap<string, string>
  /** What cannot be translated, by its path in the grid's request; the query lacks it. */
  readonly errors: FieldErrors
}

const defaultRows = 100

/** Members of our own queries that a request of the grid has under another name. */
const gridMembers = { sort: 'sortModel', aggregate: 'valueCols', group_by: 'rowGroupCols' } as const

/** The column that the grid creates for groups, optionally followed by the grouped column's name. */
const groupColumn = /^ag-Grid-AutoColumn(-|$)/

/** Whether a body is a request of AG Grid's server-side row model. */
export const isGridRequest = (body: QueryBody): boolean =>
  body.startRow !== undefined ||
  body.endRow !== undefined ||
  body.filterModel !== undefined ||
  body.sortModel !== undefined

/**
 * Translates a grid's request: its filter and sort models, its groups and the rows between `startRow` and `endRow`.
 * `targets`: the tables that fields refer to.
 */
export function readGridRequest(
  body: QueryBody,
  table: Table,
  targets: ReadonlyMap<string, Table>,
  calendar: Calendar,
): GridRequest {
  const errors: FieldErrors = byName()
  const columns = gridColumns(body, table, targets)
  const groups = (body.rowGroupCols ?? []).map(({ field, id }) => columns(field ?? id ?? ''))
  const opened = body.groupKeys ?? []
  for (const [key, own] of Object.entries(gridMembers))
    if (body[key as keyof typeof gridMembers]) errors[key] = [`A request of the grid has ${own} instead of ${key}.`]
  for (const key of ['having', 'top'] as const) if (body[key]) errors[key] = [`A request of the grid has no ${key}.`]
  if (opened.length > groups.length)
    errors.groupKeys = [`There are ${opened.length} groupKeys for ${groups.length} rowGroupCols.`]
  const filterParts: FilterPart[] = [
    ...(body.filter ? [{ path: 'filter', filter: body.filter }] : []),
    ...opened.map((key, depth) => ({ path: `groupKeys.${depth}`, filter: ofGroup(groups[depth], key) })),
    ...readFilterModel(body.filterModel ?? {}, columns, {
      calendar,
      inRangeInclusive: body.inRangeInclusive === true,
      errors,
    }),
  ]
  const grouped = groups[opened.length]
  const measured = readValueColumns(body, columns, errors)
  const query: RawQuery = {
    search: body.search,
    fields: body.fields,
    expand: body.expand,
    filter: { _and: filterParts.map(({ filter }) => filter) },
    ...(grouped === undefined
      ? { sort: readSort(body, (column) => (groupColumn.test(column) ? undefined : columns(column).name)) }
      : {
          group_by: [grouped.name],
          aggregate: aggregateOf(measured),
          sort: readSort(body, (column) =>
            groupColumn.test(column) ? grouped.name : (measureIn(body, measured, column) ?? columns(column).name),
          ),
        }),
  }
  const offset = body.startRow ?? 0
  const asked = (body.endRow ?? offset + defaultRows) - offset
  return {
    query,
    offset,
    limit: Math.min(maxGridRows, Math.max(1, asked)),
    isCut: asked > maxGridRows,
    ...(grouped && { groups: { grouped, measured: measured.filter((one) => one !== undefined) } }),
    paths: new Map([
      ...filterParts.map(({ path }, index) => [`filter._and.${index}`, path] as const),
      ['group_by.0', `rowGroupCols.${opened.length}`],
      ...measuredPaths(measured),
      ['sort', 'sortModel'],
    ]),
    errors,
  }
}

/**
 * What is wrong with the translated query, with the paths of the grid's request, which is all that the client knows, and
 * with what could not be translated.
 */
export function asGridRefusal(error: unknown, { paths, errors }: GridRequest): unknown {
  if (!(error instanceof Invalid)) return error
  const renamed = Object.entries(error.errors).map(([path, messages]) => {
    const [, part = path, rest = ''] = /^(filter\._and\.\d+)(.*)$/.exec(path) ?? []
    const own = paths.get(part)
    if (own === undefined) return [path, messages] as const
    const name = own === 'filter' ? `${own}${rest}` : own
    return [name, messages.map((message) => message.replaceAll(path, () => name))] as const
  })
  return error.withErrors({ ...Object.fromEntries(renamed), ...errors })
}

/** The records of an opened group. */
function ofGroup(column: GridColumn | undefined, key: unknown): FilterPart['filter'] {
  const name = column?.name ?? ''
  if (key === null || key === keyOfNothing) return { [name]: { _null: true } }
  return { [name]: { _eq: key === keyOfEmptyText ? '' : keyValue(key, column?.kind) } }
}

const readSort = ({ sortModel }: QueryBody, name: (column: string) => string | undefined): string[] =>
  (sortModel ?? []).flatMap(({ colId, sort }) => {
    const key = name(colId)
    return key === undefined ? [] : [`${sort === 'desc' ? '-' : ''}${key}`]
  })

/** The value columns in their order; undefined for one that is refused. */
type Measured = readonly (GridGroups['measured'][number] | undefined)[]

function readValueColumns({ valueCols }: QueryBody, columns: GridColumns, errors: FieldErrors): Measured {
  return (valueCols ?? []).map(({ field, id, aggFunc }, index) => {
    const measure = aggFunc === 'count' ? aggFunc : measures.find((one) => one === aggFunc)
    if (measure !== undefined) return { column: columns(field ?? id ?? ''), measure }
    errors[`valueCols.${index}.aggFunc`] = [
      `The aggFunc ${String(aggFunc)} is not supported. Supported are ${[...measures, 'count'].join(', ')}.`,
    ]
    return undefined
  })
}

function aggregateOf(measured: Measured): Aggregate {
  const aggregate: { count: '*' } & Partial<Record<Measure, string[]>> = { count: '*' }
  for (const one of measured)
    if (one && one.measure !== 'count') aggregate[one.measure] = [...(aggregate[one.measure] ?? []), one.column.name]
  return aggregate
}

/** The path of each measured field in the query, with that of its column. */
function measuredPaths(measured: Measured): (readonly [string, string])[] {
  const known = aggregateOf(measured)
  return measured.flatMap((one, index) => {
    if (!one || one.measure === 'count') return []
    const at = (known[one.measure] ?? []).indexOf(one.column.name)
    return [[`aggregate.${one.measure}.${at}`, `valueCols.${index}`] as const]
  })
}

/** The sort name of a value column: `avg.priority`. */
function measureIn({ valueCols }: QueryBody, measured: Measured, wanted: string): string | undefined {
  const index = (valueCols ?? []).findIndex(({ id, field }) => id === wanted || (id === undefined && field === wanted))
  const one = measured[index]
  if (!one) return undefined
  return one.measure === 'count' ? 'count' : `${one.measure}.${one.column.name}`
}

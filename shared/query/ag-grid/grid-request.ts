import { Invalid, type FieldErrors } from '../../kernel/faults.ts'
import type { Table } from '../../tables/service.ts'
import { measures, type Measure } from '../grammar/parse-aggregate.ts'
import { ownField } from '../grammar/resolve-field.ts'
import type { Aggregate, ListBody, RawQuery } from '../schema.ts'
import { readGridFilter, keyValue } from './grid-filter.ts'

/** A request of AG Grid, translated to our query language. */
export interface GridRequest {
  readonly query: RawQuery
  readonly offset: number
  readonly limit: number
  /** For each part of the query's filter, its path in the grid's request: `filterModel.title`. */
  readonly filterPaths: readonly string[]
}

const defaultRows = 100
const maxRows = 1000

/** The column that the grid creates for groups, optionally followed by the grouped column's name. */
const groupColumn = /^ag-Grid-AutoColumn(-|$)/

/** Whether a body is a request of AG Grid's server-side row model. */
export const isGridRequest = (body: ListBody): boolean =>
  body.startRow !== undefined ||
  body.endRow !== undefined ||
  body.filterModel !== undefined ||
  body.sortModel !== undefined

/** Translates a grid's request: its filter and sort models, its groups and the rows between `startRow` and `endRow`. */
export function readGridRequest(body: ListBody, table: Table): GridRequest {
  const errors: FieldErrors = {}
  const kindOf = (column: string) => ownField(table, column)?.kind
  const groups = (body.rowGroupCols ?? []).map(({ field, id }) => nameOf(field ?? id ?? ''))
  const opened = (body.groupKeys ?? []).map((key, depth): FilterPart => {
    const name = groups[depth] ?? ''
    return {
      path: `groupKeys.${depth}`,
      filter: { [name]: key === null ? { _null: true } : { _eq: keyValue(key, kindOf(name)) } },
    }
  })
  const filtered = Object.entries(body.filterModel ?? {}).map(([column, model]): FilterPart => {
    const [name, path] = [nameOf(column), `filterModel.${column}`]
    return { path, filter: readGridFilter({ name, kind: kindOf(name) }, model, path, errors) }
  })
  const filterParts = [...(body.filter ? [{ path: 'filter', filter: body.filter }] : []), ...opened, ...filtered]
  const grouped = groups[opened.length]
  const columns = body.valueCols ?? []
  const query: RawQuery = {
    search: body.search,
    fields: body.fields,
    expand: body.expand,
    filter: { _and: filterParts.map(({ filter }) => filter) },
    ...(grouped === undefined
      ? { sort: readSort(body, (column) => (groupColumn.test(column) ? undefined : nameOf(column))) }
      : {
          group_by: [grouped],
          aggregate: readValueColumns(columns, errors),
          sort: readSort(body, (column) =>
            groupColumn.test(column) ? grouped : (measureIn(columns, column) ?? nameOf(column)),
          ),
        }),
  }
  if (Object.keys(errors).length > 0) throw new Invalid(errors)
  const offset = body.startRow ?? 0
  return {
    query,
    offset,
    limit: Math.min(maxRows, Math.max(1, (body.endRow ?? offset + defaultRows) - offset)),
    filterPaths: filterParts.map(({ path }) => path),
  }
}

/** The error with the paths of the grid's request: the client never saw the translated filter. */
export function asGridRefusal(error: unknown, { filterPaths }: GridRequest): unknown {
  if (!(error instanceof Invalid)) return error
  const renamed = Object.entries(error.errors).map(([path, messages]) => {
    const [, part, rest = ''] = /^filter\._and\.(\d+)(.*)$/.exec(path) ?? []
    if (part === undefined) return [path, messages] as const
    const own = filterPaths[Number(part)] as string
    const name = own === 'filter' ? `${own}${rest}` : own
    return [name, messages.map((message) => message.replaceAll(path, () => name))] as const
  })
  return error.withErrors(Object.fromEntries(renamed))
}

interface FilterPart {
  readonly path: string
  readonly filter: Readonly<Record<string, unknown>>
}
type Columns = NonNullable<ListBody['valueCols']>

/** The field of a grid column, which the grid names by the path of its value in a row. */
const nameOf = (column: string): string => column.replace(/^data\./, '').replace(/^expanded\.([^.]+)\.(data\.)?/, '$1.')

const readSort = ({ sortModel }: ListBody, name: (column: string) => string | undefined): string[] =>
  (sortModel ?? []).flatMap(({ colId, sort }) => {
    const key = name(colId)
    return key === undefined ? [] : [`${sort === 'desc' ? '-' : ''}${key}`]
  })

/** The sort name of a value column: `avg.priority`. */
function measureIn(columns: Columns, wanted: string): string | undefined {
  const column = columns.find(({ id, field }) => id === wanted || (id === undefined && field === wanted))
  if (!column) return undefined
  return column.aggFunc === 'count' ? 'count' : `${column.aggFunc}.${nameOf(column.field ?? column.id ?? '')}`
}

function readValueColumns(columns: Columns, errors: FieldErrors): Aggregate {
  const aggregate: Record<string, unknown> = { count: '*' }
  for (const [index, { field, id, aggFunc }] of columns.entries()) {
    if (aggFunc === 'count') continue
    if (!measures.includes(aggFunc as Measure))
      errors[`valueCols.${index}.aggFunc`] = [`The aggFunc ${aggFunc} is not supported.`]
    else ((aggregate[aggFunc as Measure] ??= []) as string[]).push(nameOf(field ?? id ?? ''))
  }
  return aggregate as Aggregate
}

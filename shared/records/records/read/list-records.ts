import { Forbidden, Invalid, Malformed } from '../../../kernel/failures/faults.ts'
import type { Caller } from '../../../kernel/principal.ts'
import { type GridRequest, isGridRequest } from '../../../lists/query/ag-grid/grid-request.ts'
import { gridGroupRows } from '../../../lists/query/ag-grid/group-rows.ts'
import type { Query } from '../../../lists/query/grammar/parse-query.ts'
import type { Paging, QueryPage } from '../../../lists/query/read/read-page.ts'
import type { AggregateRow, ListBody, ListedRecord, ListParameters, RawQuery } from '../../../lists/query/schema.ts'
import type { Queries } from '../../../lists/query/service.ts'
import type { PageQuery } from '../../../platform/http/paging/page-query.ts'
import { isTooLarge, sizeOfText } from '../../../platform/http/routing/answer-size.ts'
import type { Page } from '../../../platform/http/routing/envelope.ts'
import type { Sequence } from '../../../platform/store/sequence/sequence.ts'
import type { Tables } from '../../../tables/tables/read-tables.ts'
import type { Table } from '../../../tables/tables/table.ts'
import { listedRecords } from './listed-records.ts'

/** What lists need. */
export interface ListDependencies {
  readonly tables: Tables
  readonly queries: Queries
}
export type ListAnswer = Page<ListedRecord | AggregateRow>

/** Answers `GET /api/e/{model}`: the query as parameters, its filter read by `readFilter`. */
export async function listByParameters(
  services: ListDependencies,
  caller: Caller,
  model: string,
  parameters: PageQuery & RawQuery & Pick<ListParameters, 'explain'>,
  sequence: Sequence,
): Promise<Page<ListedRecord>> {
  const table = await services.tables.require(caller.tenant, model)
  return listRows(
    services,
    caller,
    table,
    await parse(services, caller, table, parameters),
    parameters,
    sequence,
    parameters.explain,
  )
}

/** Answers `POST /api/e/{model}/list-server`, in our query grammar or AG Grid's. */
export async function listByBody(
  services: ListDependencies,
  caller: Caller,
  model: string,
  body: ListBody,
  paging: PageQuery,
  sequence: Sequence,
): Promise<ListAnswer> {
  const table = await services.tables.require(caller.tenant, model)
  if (!isGridRequest(body)) {
    const parsed = await parse(services, caller, table, body)
    if (!hasGroups(parsed)) return listRows(services, caller, table, parsed, paging, sequence, body.explain)
    const { page, per_page: limit } = paging
    const where = { offset: (page - 1) * limit, limit }
    const groups = await services.queries.aggregate(caller.tenant, table, parsed, where)
    return fitting({ ...emptyPage(limit, where.offset), items: groups.rows, total: groups.total, page })
  }
  refuseExplain(caller, body.explain)
  const { grid, query: parsed } = await services.queries.parseGrid(caller, table, body)
  const { offset, limit } = grid
  if (hasGroups(parsed)) {
    const { rows, total } = await services.queries.aggregate(caller.tenant, table, parsed, { offset, limit })
    requireWholeBlock(grid, total)
    const items = grid.groups ? gridGroupRows(rows, grid.groups) : rows
    return fitting({ ...emptyPage(limit, offset), items, total, extraMembers: { rowCount: total } })
  }
  const read = await services.queries.page(caller.tenant, table, parsed, { offset, limit, isNumbered: true }, sequence)
  requireWholeBlock(grid, read.total)
  return {
    ...(await answer(services, caller, table, parsed, read, limit, body.explain === true)),
    extraMembers: { rowCount: read.total },
  }
}

/** Throws Invalid when a block of the grid would lack rows: the grid shows them as empty and does not ask again. */
function requireWholeBlock({ isCut, offset, limit }: GridRequest, total: number): void {
  if (isCut && total > offset + limit)
    throw new Invalid({
      endRow: [`At most ${limit} rows can be asked for at once. Set the grid's cacheBlockSize to ${limit} or less.`],
    })
}

function refuseExplain(caller: Caller, explain: boolean | null | undefined): void {
  if (explain && !caller.isAdministrator)
    throw new Forbidden('forbidden', 'Only administrators may ask how a list is read.')
}

function parse(
  { queries }: ListDependencies,
  caller: Caller,
  table: Table,
  raw: RawQuery & { readonly explain?: boolean | null },
): Promise<Query> {
  refuseExplain(caller, raw.explain)
  return queries.parse(caller, table, raw, { checksSlugs: true })
}

async function listRows(
  services: ListDependencies,
  caller: Caller,
  table: Table,
  query: Query,
  paging: PageQuery,
  sequence: Sequence,
  explain?: boolean | null,
): Promise<Page<ListedRecord>> {
  const { page, per_page, cursor } = paging
  const where: Paging = { offset: (page - 1) * per_page, limit: per_page, cursor, isNumbered: true }
  const read = await services.queries.page(caller.tenant, table, query, where, sequence)
  const answered = await answer(services, caller, table, query, read, per_page, explain === true)
  return cursor ? answered : { ...answered, page }
}

const hasGroups = (query: Query): query is Query & { readonly aggregate: NonNullable<Query['aggregate']> } =>
  query.aggregate !== undefined

async function answer(
  { tables }: ListDependencies,
  { tenant }: Caller,
  table: Table,
  { selection, search }: Query,
  read: QueryPage,
  limit: number,
  explain: boolean,
): Promise<Page<ListedRecord>> {
  const items = await listedRecords(
    read.rows,
    table,
    selection,
    read.related,
    (name) => tables.find(tenant, name),
    search,
  )
  return {
    items,
    total: read.total,
    perPage: limit,
    page: Math.floor(read.offset / limit) + 1,
    offset: read.offset,
    nextCursor: read.nextCursor,
    meta: explain ? { explain: read.explain() } : {},
  }
}

/** Throws Invalid when a page of groups is too large: their values may be long texts. */
function fitting(page: Page<AggregateRow>): Page<AggregateRow> {
  if (!isTooLarge(sizeOfText(JSON.stringify(page.items)))) return page
  throw new Invalid(
    { per_page: [`These ${page.items.length} groups are larger than 4 MB. Use a smaller per_page.`] },
    { code: 'page_too_large' },
  )
}

const emptyPage = (limit: number, offset: number): Page<AggregateRow> => ({
  items: [],
  total: 0,
  perPage: limit,
  page: Math.floor(offset / limit) + 1,
  offset,
  nextCursor: null,
})

/** Parses the `filter` parameter of a query string. Throws Malformed when it is not JSON. */
export function readFilter(text: string | undefined): unknown {
  if (text === undefined || text.trim() === '') return undefined
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new Malformed(
      'malformed_query',
      `The filter is not valid JSON: ${(cause as Error).message}. Write it as filter={"status":"new"}, URL-encoded.`,
      {
        cause,
      },
    )
  }
}

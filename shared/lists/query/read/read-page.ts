import { Invalid } from '../../../kernel/failures/faults.ts'
import type { Tenant } from '../../../kernel/tenancy.ts'
import { readSequence, type Sequence } from '../../../platform/store/sequence/sequence.ts'
import type { Table } from '../../../tables/tables/table.ts'
import type { Scalar } from '../../columns/scalar.ts'
import { type EvaluationDependencies, openEvaluation } from '../evaluate/open-evaluation.ts'
import { isEverything, type QueryField } from '../grammar/expression.ts'
import type { Query } from '../grammar/parse-query.ts'
import { type Check, createCheck } from './check-records.ts'
import { carriedValues, type CursorPosition, readPosition, recordCursors } from './cursor.ts'
import { type FetchedPage, fetchPage } from './fetch-page.ts'
import { readById } from './newest.ts'
import { isById } from './order.ts'
import { type OrderedIds, orderIds } from './ordered-ids.ts'
import { readRecords } from './read-records.ts'
import type { Related } from './related.ts'
import { removeDoubtful } from './remove-doubtful.ts'
import { readableRowOf, type Row } from './row.ts'

/** The start and the maximum length of a page. */
export interface Paging {
  readonly offset: number
  readonly limit: number
  /** Takes precedence over the offset. */
  readonly cursor?: string | null
  /** The page is addressed by number, so a shorter page than `limit` would shift the next ones. */
  readonly isNumbered?: boolean
}

/** One page of a list. */
export interface QueryPage {
  readonly rows: readonly Row[]
  /** How many rows of the list precede the page. */
  readonly offset: number
  readonly total: number
  readonly nextCursor: string | null
  readonly related: Related
  /** The content of `meta.explain`. */
  explain(): Record<string, unknown>
}

/** Everything that reading one page needs. */
interface PageRun {
  readonly services: EvaluationDependencies
  readonly tenant: Tenant
  readonly table: Table
  readonly query: Query
  readonly check: Check
  readonly position: CursorPosition | undefined
  readonly paging: Paging
}

/**
 * Reads one page of a list. `sequence`: the table's sequence row, if the caller has read it. Throws Invalid for a cursor
 * of another list, and for a page that is larger than an answer may be.
 */
export async function readPage(
  services: EvaluationDependencies,
  tenant: Tenant,
  table: Table,
  query: Query,
  paging: Paging,
  sequence?: Sequence,
): Promise<QueryPage> {
  const position = paging.cursor ? readPosition(paging.cursor, query.hash, query.order.length) : undefined
  const run: PageRun = {
    services,
    tenant,
    table,
    query,
    position,
    paging,
    check: createCheck(services.store, tenant, table, query),
  }
  const isWhole = isEverything(query.filter) && !query.search
  const known = isWhole ? (sequence ?? (await readSequence(services.store, tenant, table.name))) : undefined
  if (known && isById(query.order) && (position || paging.offset === 0)) {
    const page = await pageById(run, known)
    if (page) return page
  }
  return pageFromColumns(run, known)
}

/** The id of the record that follows another one in a list, wherever the other one would be in it. */
export async function recordAfter(
  services: EvaluationDependencies,
  tenant: Tenant,
  table: Table,
  query: Query,
  id: number,
): Promise<number | undefined> {
  const fields = query.order.slice(0, -1).map(({ field }) => field)
  const values = fields.length === 0 ? [] : await valuesOf(services, tenant, table, query, fields, id)
  const cursor = recordCursors.write({ id, values: carriedValues(values), seen: 0 }, query.hash)
  const { rows } = await readPage(services, tenant, table, query, { offset: 0, limit: 1, cursor })
  return rows[0]?.id
}

/** The values of a record as columns hold them. */
async function valuesOf(
  services: EvaluationDependencies,
  tenant: Tenant,
  table: Table,
  { filter, search }: Query,
  fields: readonly QueryField[],
  id: number,
): Promise<(Scalar | undefined)[]> {
  const evaluation = await openEvaluation(services, tenant, table, { filter, search, fields })
  try {
    const values: (Scalar | undefined)[] = []
    for (const field of fields) values.push((await evaluation.keysOf(field).valuesOf([id]))[0])
    return values
  } finally {
    evaluation.release()
  }
}

/** A page of all records by id, from the records themselves; undefined where few are left, or one is unreadable. */
async function pageById(run: PageRun, { last, live }: Sequence): Promise<QueryPage | undefined> {
  const { services, tenant, table, query, position, paging } = run
  const descending = query.order[0]?.descending === true
  const from = position ? position.id + (descending ? -1 : 1) : descending ? last : 1
  const { items, isSparse } =
    from < 1 || from > last
      ? { items: [], isSparse: false }
      : await readById(services.store, tenant, table.name, { from, last, descending, wanted: paging.limit + 1 })
  if (isSparse) return undefined
  const rows = items.flatMap((item) => readableRowOf(item, table) ?? [])
  // Without one that is unreadable, what is left may look like the end of the list.
  if (rows.length < items.length) return undefined
  const ids = rows.map(({ id }) => id)
  const fetched = await fetchPage(
    {
      count: rows.length,
      range: (start, end) => ids.slice(start, end),
      read: (some) => Promise.resolve(rows.slice(ids.indexOf(some[0] as number)).slice(0, some.length)),
    },
    paging.limit,
  )
  return answer(run, fetched, live, async () => [], {
    plan: 'records by id',
    records_read: items.length,
  })
}

async function pageFromColumns(run: PageRun, whole: Sequence | undefined): Promise<QueryPage> {
  const { services, tenant, table, query, position, paging, check } = run
  const evaluation = await openEvaluation(services, tenant, table, {
    filter: query.filter,
    search: query.search,
    fields: query.order.map(({ field }) => field),
  })
  try {
    const offset = position ? 0 : paging.offset
    const wanted = { from: offset, to: offset + paging.limit }
    const { ordered, doubtful } = await orderIds(evaluation, query.order, position, wanted)
    const list = await removeDoubtful(services.store, run, evaluation, ordered, doubtful)
    let recordsRead = doubtful.length
    const fetched = await fetchPage(
      {
        count: list.count - offset,
        range: (from, to) => list.range(offset + from, offset + to),
        async read(ids) {
          recordsRead += ids.length
          const items = await readRecords(services.store, tenant, table.name, ids)
          evaluation.view.note(items, ids)
          return check.records(items)
        },
      },
      paging.limit,
    )
    const total = whole ? whole.live : list.total - fetched.dropped.size
    return await answer(run, fetched, total, (id) => list.carried(id), {
      plan: 'columns',
      columns: Object.fromEntries([...evaluation.needed].map(([model, columns]) => [model, [...columns]])),
      records_read: recordsRead,
    })
  } finally {
    evaluation.release()
  }
}

async function answer(
  { query, position, paging, check }: PageRun,
  { rows, hasMore, isTooLarge }: FetchedPage,
  total: number,
  carried: OrderedIds['carried'],
  explained: Record<string, unknown>,
): Promise<QueryPage> {
  if (isTooLarge && paging.isNumbered && !position) {
    throw new Invalid(
      {
        per_page: [
          `A page of ${paging.limit} records is larger than 4 MB here; ${rows.length} fit. Use a cursor or a smaller per_page.`,
        ],
      },
      { code: 'page_too_large' },
    )
  }
  const offset = position?.seen ?? paging.offset
  const last = rows.at(-1)
  return {
    rows,
    offset,
    total,
    nextCursor:
      hasMore && last
        ? recordCursors.write({ id: last.id, values: await carried(last.id), seen: offset + rows.length }, query.hash)
        : null,
    related: check.related,
    explain: () => explained,
  }
}

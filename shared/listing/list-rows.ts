import { afterId, cursorCodec, cursorPart } from '../http/paging/cursor.ts'
import type { PageQuery } from '../http/paging/page-query.ts'
import type { Page } from '../http/routing/envelope.ts'
import type { TenantRef } from '../kernel/tenancy.ts'
import type { Key } from '../store/keys/key.ts'
import type { Item } from '../store/marshal.ts'
import type { Store } from '../store/store.ts'
import { asListed, type IdSource, type ScannedId, scanIds, scanNewestIds } from './scan-ids.ts'

/** A list by id, newest first, that merges several sources. */
export interface RowList<Row extends { readonly id: number }> {
  /** Distinguishes its cursors from those of other lists. */
  readonly name: string
  readonly sources: readonly IdSource[]
  /** The sequence of the ids, when rows that the sources do not have yet belong to the list as well. */
  readonly sequence?: string
  readonly keyOf: (id: number) => Key
  /** The attributes to read, with `pk` and `sk`; all when left out. */
  readonly attributes?: readonly string[]
  readonly read: (item: Item) => Row
  /** Filters the rows: an index may lag behind, and not every filter has one. */
  readonly keep: (rows: readonly Row[]) => Promise<readonly Row[]> | readonly Row[]
  /** Whether the sources hold exactly the rows of the list. Then keys are counted and only the page's rows are read. */
  readonly isCountable: boolean
}

/** How many keys one answer counts, or rows it reads where keys are not enough; beyond that the total is not exact. */
const maxKeys = 20_000
const maxRows = 2000
/** Rows read at once while filters are applied to them. */
const rowsPerStep = 200

const cursors = cursorCodec('rows', { ...afterId, total: cursorPart.count, isExact: cursorPart.flag })

type ListStore = Pick<Store, 'get' | 'query' | 'getMany'>

/** Reads one page, newest first. A cursor carries the total of the first page and continues after the last row read. */
export async function listRows<Row extends { readonly id: number }>(
  store: ListStore,
  tenant: TenantRef,
  list: RowList<Row>,
  { page, per_page, cursor }: PageQuery,
): Promise<Page<Row>> {
  const position = cursor ? cursors.read(cursor, list.name) : undefined
  const first = position ? 0 : (page - 1) * per_page
  const gathered = await gather(store, tenant, list, position?.lastId, position ? per_page + 1 : undefined)
  const { isWhole, lastId } = gathered
  const { found, rows } = list.isCountable
    ? await readPage(store, tenant, list, gathered.found, first, per_page)
    : { found: gathered.found, rows: gathered.found.slice(first, first + per_page).map(({ row }) => row as Row) }
  const chosen = found.slice(first, first + per_page)
  const offset = position ? position.seen : first
  const total = position?.total ?? found.length
  const isExact = position?.isExact ?? isWhole
  const hasMore = found.length > first + per_page
  const next = hasMore ? chosen.at(-1)?.id : isWhole ? undefined : lastId
  return {
    items: rows,
    total,
    perPage: per_page,
    page: position ? null : page,
    offset,
    nextCursor:
      next === undefined
        ? null
        : cursors.write({ lastId: next, seen: offset + chosen.length, total, isExact }, list.name),
    ...(!isExact && { meta: { total_exact: false } }),
  }
}

interface Found<Row> extends ScannedId {
  readonly row?: Row
}

/** Collects rows from the newest on, until there are `wanted`, none is left, or the limit is reached. */
async function gather<Row extends { readonly id: number }>(
  store: ListStore,
  tenant: TenantRef,
  list: RowList<Row>,
  before: number | undefined,
  wanted = Number.POSITIVE_INFINITY,
): Promise<{ readonly found: readonly Found<Row>[]; readonly isWhole: boolean; readonly lastId?: number }> {
  const { isCountable } = list
  const [limit, step] = isCountable ? [maxKeys, Math.min(wanted, maxKeys)] : [maxRows, rowsPerStep]
  const found: Found<Row>[] = []
  let scanned = 0
  for await (const ids of scan(store, tenant, list, before, step)) {
    for (let start = 0; start < ids.length;) {
      const some = ids.slice(start, start + Math.min(step, limit - scanned))
      found.push(...(isCountable ? some : await readFound(store, tenant, list, some)))
      scanned += some.length
      start += some.length
      if (scanned >= limit || found.length >= wanted) return { found, isWhole: false, lastId: some.at(-1)?.id }
    }
  }
  return { found, isWhole: true }
}

async function* scan(
  store: ListStore,
  tenant: TenantRef,
  { sources, sequence }: Pick<RowList<never>, 'sources' | 'sequence'>,
  before: number | undefined,
  wanted: number,
): AsyncGenerator<readonly ScannedId[], void, undefined> {
  if (sequence !== undefined && before === undefined)
    return yield* scanNewestIds(store, tenant, sources, sequence, wanted)
  for await (const ids of scanIds(store, tenant, sources, { before, wanted })) yield ids.map(asListed)
}

async function readFound<Row extends { readonly id: number }>(
  store: ListStore,
  tenant: TenantRef,
  list: RowList<Row>,
  ids: readonly ScannedId[],
): Promise<Found<Row>[]> {
  const rows = await readRows(store, tenant, list, ids)
  return rows.map((row) => ({ ...asListed(row.id), row }))
}

/** Reads the rows of a page and with them those that no source has: of these only existing ones are counted. */
async function readPage<Row extends { readonly id: number }>(
  store: ListStore,
  tenant: TenantRef,
  list: RowList<Row>,
  found: readonly ScannedId[],
  first: number,
  perPage: number,
): Promise<{ readonly found: readonly ScannedId[]; readonly rows: readonly Row[] }> {
  const unlisted = found.filter(({ isListed }) => !isListed)
  const candidates = new Set([...unlisted, ...found.slice(first, first + perPage + unlisted.length)])
  const rows = new Map((await readRows(store, tenant, list, [...candidates])).map((row) => [row.id, row]))
  const existing = found.filter(({ id, isListed }) => isListed || rows.has(id))
  return {
    found: existing,
    rows: existing.slice(first, first + perPage).flatMap(({ id }) => rows.get(id) ?? []),
  }
}

async function readRows<Row extends { readonly id: number }>(
  store: ListStore,
  tenant: TenantRef,
  { keyOf, attributes, read, keep }: RowList<Row>,
  ids: readonly ScannedId[],
): Promise<readonly Row[]> {
  if (ids.length === 0) return []
  const items = await store.getMany(
    tenant,
    ids.map(({ id }) => keyOf(id)),
    attributes,
  )
  return keep(items.filter((item) => item !== undefined).map(read))
}

import { afterId, cursorCodec, cursorPart } from '../../http/paging/cursor.ts'
import type { PageQuery } from '../../http/paging/page-query.ts'
import type { Page } from '../../http/routing/envelope.ts'
import type { TenantRef } from '../../kernel/tenancy.ts'
import { idAtEnd, idText, type Key } from '../../store/keys/key.ts'
import type { Item } from '../../store/marshal.ts'
import type { Store } from '../../store/table.ts'

/** Keys that end in the id of a row: of the table, or of a slot index. */
export interface IdSource {
  readonly pk: string
  readonly index?: string
  /** What stands before the id in the sort key. */
  readonly prefix?: string
  /** Only the newest of them: what an index may not have yet. */
  readonly isHead?: true
}

/** A list by id, newest first, that is put together from several sources. */
export interface RowList<Row extends { readonly id: number }> {
  /** Tells its cursors from those of other lists. */
  readonly name: string
  readonly sources: readonly IdSource[]
  readonly keyOf: (id: number) => Key
  /** What to read of a row; all of it when left out. `pk` and `sk` must be among them. */
  readonly attributes?: readonly string[]
  readonly read: (item: Item) => Row
  /** The rows that belong into the list: an index may be behind, and not every filter has one. */
  readonly keep: (rows: readonly Row[]) => Promise<readonly Row[]> | readonly Row[]
  /** Whether the sources alone say what belongs: then keys are counted, and only the rows of the page read. */
  readonly isCountable: boolean
}

/** Keys counted for one answer, and rows looked at where keys do not tell enough: a total beyond is not exact. */
const mostKeys = 20_000
const mostRows = 2000
const keysAStep = 1000
const rowsAStep = 200
const headKeys = 50

const cursors = cursorCodec('rows', { ...afterId, total: cursorPart.count, isExact: cursorPart.flag })

/** One page, newest first. A cursor carries the total of its first page and goes on behind everything that was looked at. */
export async function listRows<Row extends { readonly id: number }>(
  store: Pick<Store, 'query' | 'getMany'>,
  tenant: TenantRef,
  list: RowList<Row>,
  { page, per_page, cursor }: PageQuery,
): Promise<Page<Row>> {
  const position = cursor ? cursors.read(cursor, list.name) : undefined
  const first = position ? 0 : (page - 1) * per_page
  const { found, isWhole, lastId } = await gather(
    store,
    tenant,
    list,
    position?.lastId,
    position ? per_page + 1 : undefined,
  )
  const chosen = found.slice(first, first + per_page)
  const offset = position ? position.seen : first
  const total = position?.total ?? found.length
  const isExact = position?.isExact ?? isWhole
  const hasMore = found.length > first + per_page
  const next = hasMore ? chosen.at(-1)?.id : isWhole ? undefined : lastId
  return {
    items: list.isCountable
      ? await readRows(
          store,
          tenant,
          list,
          chosen.map(({ id }) => id),
        )
      : chosen.map(({ row }) => row as Row),
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

interface Found<Row> {
  readonly id: number
  readonly row?: Row
}

/** Looks from the newest on until there is enough, nothing left, or too much looked at. */
async function gather<Row extends { readonly id: number }>(
  store: Pick<Store, 'query' | 'getMany'>,
  tenant: TenantRef,
  list: RowList<Row>,
  before: number | undefined,
  enough = Number.POSITIVE_INFINITY,
): Promise<{ readonly found: readonly Found<Row>[]; readonly isWhole: boolean; readonly lastId?: number }> {
  const [most, step] = list.isCountable ? [mostKeys, keysAStep] : [mostRows, rowsAStep]
  const found: Found<Row>[] = []
  let looked = 0
  for await (const ids of scanIds(store, tenant, list.sources, before, step)) {
    for (let start = 0; start < ids.length; start += step) {
      const some = ids.slice(start, start + step)
      found.push(
        ...(list.isCountable
          ? some.map((id) => ({ id }))
          : (await readRows(store, tenant, list, some)).map((row) => ({ id: row.id, row }))),
      )
      looked += some.length
      if (looked >= most || found.length >= enough) return { found, isWhole: false, lastId: some.at(-1) }
    }
  }
  return { found, isWhole: true }
}

async function readRows<Row extends { readonly id: number }>(
  store: Pick<Store, 'getMany'>,
  tenant: TenantRef,
  { keyOf, attributes, read, keep }: RowList<Row>,
  ids: readonly number[],
): Promise<readonly Row[]> {
  if (ids.length === 0) return []
  const items = await store.getMany(tenant, ids.map(keyOf), attributes)
  return keep(items.filter((item) => item !== undefined).map(read))
}

/** The ids of all sources together, each once and falling, below `before`; `step` keys of a source at a time. */
export async function* scanIds(
  store: Pick<Store, 'query'>,
  tenant: TenantRef,
  sources: readonly IdSource[],
  before: number | undefined,
  step: number,
): AsyncGenerator<readonly number[]> {
  let open = before === undefined ? sources : sources.filter(({ isHead }) => !isHead)
  let top = before === undefined ? highestId : before - 1
  while (open.length > 0 && top > 0) {
    const parts = await Promise.all(
      open.map(async (source) => ({ source, ...(await readIds(store, tenant, source, top, step)) })),
    )
    // Below the id where one source broke off, the others are not known to be all there is.
    const cut = Math.max(0, ...parts.map(({ ids, hasMore }) => (hasMore ? (ids.at(-1) as number) : 0)))
    const ids = new Set(parts.flatMap((part) => part.ids.filter((id) => id >= cut)))
    yield [...ids].sort((a, b) => b - a)
    open = parts.flatMap(({ source, ids: own, hasMore }) => (hasMore || own.some((id) => id < cut) ? [source] : []))
    top = cut - 1
  }
}

const highestId = 999_999_999_999

async function readIds(
  store: Pick<Store, 'query'>,
  tenant: TenantRef,
  { pk, index, prefix = '', isHead }: IdSource,
  top: number,
  step: number,
) {
  const range = { from: prefix + idText(0), to: prefix + idText(top) }
  const { items, last } = await store.query(tenant, {
    pk,
    index,
    ...range,
    reverse: true,
    limit: isHead ? headKeys : step,
    attributes: ['pk', 'sk'],
  })
  return {
    ids: items.map(({ sk }) => idAtEnd(String(sk))),
    hasMore: !isHead && last !== undefined && items.length > 0,
  }
}

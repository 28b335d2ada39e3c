import { afterId, cursorCodec, cursorPart } from '../../http/paging/cursor.ts'
import type { PageQuery } from '../../http/paging/page-query.ts'
import type { Page } from '../../http/routing/envelope.ts'
import type { TenantRef } from '../../kernel/tenancy.ts'
import { idAtEnd, idText, type Key } from '../../store/keys/key.ts'
import type { Item } from '../../store/marshal.ts'
import type { Store } from '../../store/store.ts'

/** A range of keys that end in the id of a row, in the table or in a slot index. */
export interface IdSource {
  readonly pk: string
  readonly index?: string
  /** The text before the id in the sort key. */
  readonly prefix?: string
  /** Read its newest keys only: rows that an index may not have yet. */
  readonly isHead?: true
}

/** A list by id, newest first, that merges several sources. */
export interface RowList<Row extends { readonly id: number }> {
  /** Distinguishes its cursors from those of other lists. */
  readonly name: string
  readonly sources: readonly IdSource[]
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
const keysPerStep = 1000
const rowsPerStep = 200
const headKeys = 50

const cursors = cursorCodec('rows', { ...afterId, total: cursorPart.count, isExact: cursorPart.flag })

/** Reads one page, newest first. A cursor carries the total of the first page and continues after the last row read. */
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

/** Collects rows from the newest on, until there are `wanted`, none is left, or the limit is reached. */
async function gather<Row extends { readonly id: number }>(
  store: Pick<Store, 'query' | 'getMany'>,
  tenant: TenantRef,
  list: RowList<Row>,
  before: number | undefined,
  wanted = Number.POSITIVE_INFINITY,
): Promise<{ readonly found: readonly Found<Row>[]; readonly isWhole: boolean; readonly lastId?: number }> {
  const [limit, step] = list.isCountable ? [maxKeys, keysPerStep] : [maxRows, rowsPerStep]
  const found: Found<Row>[] = []
  let scanned = 0
  for await (const ids of scanIds(store, tenant, list.sources, before, step)) {
    for (let start = 0; start < ids.length; start += step) {
      const some = ids.slice(start, start + step)
      found.push(
        ...(list.isCountable
          ? some.map((id) => ({ id }))
          : (await readRows(store, tenant, list, some)).map((row) => ({ id: row.id, row }))),
      )
      scanned += some.length
      if (scanned >= limit || found.length >= wanted) return { found, isWhole: false, lastId: some.at(-1) }
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

/** Merges the ids of all sources below `before`: each once, highest first. Reads `step` keys of a source at a time. */
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
    const batches = await Promise.all(
      open.map(async (source) => ({ source, ...(await readIds(store, tenant, source, top, step)) })),
    )
    // Below the last id of a source that has more, that source may have ids which were not read yet.
    const cut = Math.max(0, ...batches.map(({ ids, hasMore }) => (hasMore ? (ids.at(-1) as number) : 0)))
    const ids = new Set(batches.flatMap((batch) => batch.ids.filter((id) => id >= cut)))
    yield [...ids].sort((a, b) => b - a)
    open = batches.flatMap(({ source, ids: own, hasMore }) => (hasMore || own.some((id) => id < cut) ? [source] : []))
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

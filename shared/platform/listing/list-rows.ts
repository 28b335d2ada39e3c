import { maxScannedKeys, maxScannedRows } from '../../kernel/limits/lists.ts'
import type { TenantRef } from '../../kernel/tenancy.ts'
import { afterId, cursorCodec, cursorPart } from '../http/paging/cursor.ts'
import { pageTooDeep, readFitting } from '../http/paging/fit-page.ts'
import { holdsWords, markOf } from '../http/paging/list-order.ts'
import type { RowListQuery } from '../http/paging/page-query.ts'
import type { Page } from '../http/routing/envelope.ts'
import type { Key } from '../store/keys/key.ts'
import type { Store } from '../store/store.ts'
import type { Item } from '../store/values/marshal.ts'
import { asListed, type IdRange, type IdSource, type ScannedId, scanSources, scanWithNewestIds } from './scan-ids.ts'

/** A list by id, newest first unless asked otherwise, that merges several sources. */
export interface RowList<Row extends { readonly id: number }> {
  /** Its rows in the plural, for messages; distinguishes its cursors from those of other lists. */
  readonly name: string
  readonly sources: readonly IdSource[]
  /**
   * The sequence of the ids, when rows that the sources do not have yet belong to the list as well. Without it, a row is in
   * no page until its index has it, and a walk that has passed its id misses it.
   */
  readonly sequence?: string
  readonly keyOf: (id: number) => Key
  /** The attributes to read, with `pk` and `sk`; all when left out. */
  readonly attributes?: readonly string[]
  readonly read: (item: Item) => Row
  /** Filters the rows: an index may lag behind, and not every filter has one. */
  readonly keep: (rows: readonly Row[]) => Promise<readonly Row[]> | readonly Row[]
  /** The texts of a row in which a list is searched. */
  readonly textsOf: (row: Row) => readonly (string | null | undefined)[]
  /** Whether the sources hold exactly the rows of the list. Then keys are counted and only the page's rows are read. */
  readonly isCountable: boolean
}

/** Rows read at once while filters are applied to them. */
const rowsPerStep = 100
/** Rows of a page that are kept while its total is counted; the others are read again. */
const keptRows = 100

const cursors = cursorCodec('rows', { ...afterId, total: cursorPart.count, isExact: cursorPart.flag })

type ListStore = Pick<Store, 'get' | 'query' | 'getMany'>

/**
 * Reads one page, newest first, or oldest first with `sort=id`. A search is a filter: it reads the rows. A cursor carries the total of the first page and continues after the last row read.
 * `describe` turns rows into answers, undefined for one that is left out; or the first of them only, at least one, when all
 * would take too much memory. A page over 4 MB ends early when it is read by
 * cursor; by number it throws Invalid, as does a page behind the rows that one request reads.
 */
export async function listRows<Row extends { readonly id: number }, Answer>(
  store: ListStore,
  tenant: TenantRef,
  all: RowList<Row>,
  describe: (rows: readonly Row[]) => Promise<readonly (Answer | undefined)[]> | readonly (Answer | undefined)[],
  query: RowPageQuery,
): Promise<Page<Answer>> {
  const { page, per_page, cursor, sort } = query
  const list = searched(all, query.search)
  const mark = list.name + markOf(query)
  const position = cursor ? cursors.read(cursor, mark) : undefined
  const first = position ? 0 : (page - 1) * per_page
  const gathered = await gather(store, tenant, list, {
    after: position?.lastId,
    wanted: position ? per_page + 1 : undefined,
    first,
    oldestFirst: sort === 'id',
  })
  const { isWhole, lastId } = gathered
  const { found, rows } = list.isCountable
    ? await readFirst(store, tenant, list, gathered.found, first, per_page)
    : gathered
  if (!isWhole && first > 0 && first >= found.length)
    throw pageTooDeep(found.length, list.name, sort === 'id' ? 'oldest' : 'newest')
  const chosen = found.slice(first, first + per_page)
  const { items, taken } = await readFitting(
    chosen,
    async (some) => {
      const unread = some.filter(({ id }) => !rows.has(id))
      for (const row of await readRows(store, tenant, list, unread)) rows.set(row.id, row)
      const present = some.map(({ id }) => rows.get(id)).filter((row) => row !== undefined)
      const answers = await describe(present)
      const byId = new Map(present.slice(0, answers.length).map(({ id }, index) => [id, answers[index]]))
      const next = present[answers.length]?.id
      const described =
        next === undefined
          ? some
          : some.slice(
              0,
              some.findIndex(({ id }) => id === next),
            )
      for (const { id } of described) rows.delete(id)
      return described.map(({ id }) => byId.get(id))
    },
    query,
    list.name,
  )
  const offset = position ? position.seen : first
  const total = position?.total ?? found.length
  const isExact = position?.isExact ?? isWhole
  const hasMore = found.length > first + taken
  const next = hasMore ? chosen[taken - 1]?.id : isWhole ? undefined : lastId
  return {
    items,
    total,
    perPage: per_page,
    page: position ? null : page,
    offset,
    nextCursor: next === undefined ? null : cursors.write({ lastId: next, seen: offset + taken, total, isExact }, mark),
    ...(!isExact && { meta: { total_exact: false } }),
  }
}

type RowPageQuery = Omit<RowListQuery, 'sort' | 'search'> & Partial<Pick<RowListQuery, 'sort' | 'search'>>

/** The rows of a list that hold all words. No index has them, so the rows are read. */
function searched<Row extends { readonly id: number }>(
  list: RowList<Row>,
  words: readonly string[] | undefined,
): RowList<Row> {
  if (!words) return list
  const keep = async (rows: readonly Row[]) =>
    (await list.keep(rows)).filter((row) => holdsWords(words, list.textsOf(row)))
  return { ...list, sources: list.sources.map((source) => ({ ...source, isExact: false })), keep, isCountable: false }
}

interface GatheredRange extends IdRange {
  /** The index of the page's first row. */
  readonly first: number
}

interface Gathered<Row> {
  readonly found: readonly ScannedId[]
  /** Rows of the page that were read already, by id. */
  readonly rows: Map<number, Row>
}

/** Collects rows from the newest or the oldest on, until there are `wanted`, none is left, or the limit is reached. */
async function gather<Row extends { readonly id: number }>(
  store: ListStore,
  tenant: TenantRef,
  list: RowList<Row>,
  { after, wanted = Infinity, first, oldestFirst }: GatheredRange,
): Promise<Gathered<Row> & { readonly isWhole: boolean; readonly lastId?: number }> {
  const { isCountable } = list
  const [limit, step] = isCountable ? [maxScannedKeys, Math.min(wanted, maxScannedKeys)] : [maxScannedRows, rowsPerStep]
  const found: ScannedId[] = []
  const rows = new Map<number, Row>()
  let scanned = 0
  const keysAtOnce = list.sources.some(({ isExact }) => isExact) ? Math.min(wanted, maxScannedKeys) : step
  for await (const ids of scan(store, tenant, list, { after, oldestFirst, wanted: keysAtOnce })) {
    for (let start = 0; start < ids.length;) {
      const some = ids.slice(start, start + Math.min(step, limit - scanned))
      if (isCountable) found.push(...some)
      else {
        const uncertain = some.filter(({ isExact }) => isExact !== true)
        const read = new Map((await readRows(store, tenant, list, uncertain)).map((row) => [row.id, row]))
        for (const { id, isExact } of some) {
          const row = read.get(id)
          if (row === undefined && isExact !== true) continue
          if (row !== undefined && found.length >= first && rows.size < keptRows) rows.set(id, row)
          found.push(asListed(id))
        }
      }
      scanned += some.length
      start += some.length
      if (scanned >= limit || found.length >= wanted) return { found, rows, isWhole: false, lastId: some.at(-1)?.id }
    }
  }
  return { found, rows, isWhole: true }
}

async function* scan(
  store: ListStore,
  tenant: TenantRef,
  { sources, sequence }: Pick<RowList<never>, 'sources' | 'sequence'>,
  range: IdRange,
): AsyncGenerator<readonly ScannedId[], void, undefined> {
  // On every page: where a walk newest first has come to, an index may lack a row that it has later ones of.
  if (sequence !== undefined) return yield* scanWithNewestIds(store, tenant, sources, sequence, range)
  yield* scanSources(store, tenant, sources, range)
}

/**
 * Reads the first rows of a page and with them those that no source has: of these only existing ones are counted.
 */
async function readFirst<Row extends { readonly id: number }>(
  store: ListStore,
  tenant: TenantRef,
  list: RowList<Row>,
  found: readonly ScannedId[],
  first: number,
  perPage: number,
): Promise<Gathered<Row>> {
  const unlisted = found.filter(({ isListed }) => !isListed)
  const candidates = new Set([
    ...unlisted,
    ...found.slice(first, first + Math.min(perPage, keptRows) + unlisted.length),
  ])
  const rows = new Map((await readRows(store, tenant, list, [...candidates])).map((row) => [row.id, row]))
  return { found: found.filter(({ id, isListed }) => isListed || rows.has(id)), rows }
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

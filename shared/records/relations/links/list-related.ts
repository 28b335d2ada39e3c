import type { RowAccess } from '../../../accounts/access/row-access.ts'
import { maxCountedLinks } from '../../../kernel/limits/relations.ts'
import type { Caller } from '../../../kernel/principal.ts'
import type { Tenant } from '../../../kernel/tenancy.ts'
import { pageTooLarge } from '../../../platform/http/paging/fit-page.ts'
import type { PageQuery } from '../../../platform/http/paging/page-query.ts'
import { addSizes, isTooLarge, noSize, sizeOfText } from '../../../platform/http/routing/answer-size.ts'
import type { Page } from '../../../platform/http/routing/envelope.ts'
import { recordKey } from '../../../platform/store/keys/records.ts'
import { linkKey, linkPartition, otherIdOf, type Side } from '../../../platform/store/keys/relations.ts'
import { skipKeys, type StartKey } from '../../../platform/store/ranges/record-range.ts'
import type { KeyRange, Store } from '../../../platform/store/store.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import { otherSide, type Relation, tableAt } from '../relation.ts'
import { listVisible } from './list-visible.ts'
import { relatedCursors } from './related-cursors.ts'

/** Reads records as the caller may see them, in the order of `ids`; undefined where there is none. */
export type FindRecords<R> = (
  caller: Caller,
  model: string,
  ids: readonly number[],
) => Promise<readonly (R | undefined)[]>

/** Records read before the size of the page is checked. */
const recordsPerRead = 200

/**
 * A page of the records linked to `id`, newest first. Skips links whose record is deleted; the total counts them until
 * the delete has removed them. `preloaded`: the near record as read with the caller. Throws NotFound when the caller
 * may not see it, and Invalid when the page is too large.
 */
export async function listRelated<R extends { readonly id: number }>(
  store: Store,
  caller: Caller,
  { relation, side, id, preloaded }: { relation: Relation; side: Side; id: number; preloaded?: Item | null },
  query: PageQuery,
  findRecords: FindRecords<R>,
  access: RowAccess,
): Promise<Page<R>> {
  const { tenant } = caller
  const near =
    preloaded === undefined ? await store.get(tenant, recordKey(tenant, tableAt(relation, side), id)) : preloaded
  await access.require(caller, tableAt(relation, side), id, 'read', near)
  const { per_page } = query
  const range: KeyRange = { pk: linkPartition(tenant, relation.id, side, id), reverse: true }
  const far = tableAt(relation, otherSide(side))
  if (access.isLimited(caller, far, 'read'))
    return listVisible({ store, access }, caller, far, range, query, (ids) => findRecords(caller, far, ids))
  const position = query.cursor ? relatedCursors.read(query.cursor) : undefined
  const offset = position ? position.seen : (query.page - 1) * per_page
  const [{ total, exact }, start] = await Promise.all([
    count(store, tenant, range),
    position ? { ...linkKey(tenant, relation.id, side, id, position.lastId) } : skipKeys(store, tenant, range, offset),
  ])
  const find = (ids: readonly number[]) => findRecords(caller, far, ids)
  const page =
    start === 'past the end'
      ? { items: [], passed: 0, hasMore: false, tooLarge: false }
      : await read(store, tenant, range, start, per_page, find)
  const { items, passed, hasMore, lastId } = page
  if (page.tooLarge && !position) {
    throw pageTooLarge(per_page, items.length)
  }
  return {
    items,
    total,
    perPage: per_page,
    page: position ? Math.floor(offset / per_page) + 1 : query.page,
    offset,
    nextCursor: hasMore && lastId !== undefined ? relatedCursors.write({ lastId, seen: offset + passed }) : null,
    ...(!exact && { meta: { total_exact: false } }),
  }
}

async function count(store: Store, tenant: Tenant, range: KeyRange): Promise<{ total: number; exact: boolean }> {
  let total = 0
  let after: StartKey
  do {
    const page = await store.countPage(tenant, { ...range, after })
    total += page.count
    after = page.last
  } while (after && total < maxCountedLinks)
  return { total, exact: after === undefined }
}

interface RelatedPage<R> {
  readonly items: R[]
  /** How many links the page covers, including those without a record, and the id of the last one. */
  readonly passed: number
  readonly lastId?: number
  readonly hasMore: boolean
  readonly tooLarge: boolean
}

async function read<R extends { readonly id: number }>(
  store: Store,
  tenant: Tenant,
  range: KeyRange,
  start: StartKey,
  wanted: number,
  find: (ids: readonly number[]) => Promise<readonly (R | undefined)[]>,
): Promise<RelatedPage<R>> {
  const items: R[] = []
  let passed = 0
  let size = noSize
  let lastId: number | undefined
  let after = start
  do {
    const links = await store.query(tenant, {
      ...range,
      limit: Math.min(recordsPerRead, wanted + 1 - items.length),
      after,
    })
    const ids = links.items.map(otherIdOf)
    const records = await find(ids)
    for (const [index, id] of ids.entries()) {
      const record = records[index]
      if (record) {
        size = addSizes(size, sizeOfText(JSON.stringify(record)))
        const tooLarge = isTooLarge(size) && items.length > 0
        if (tooLarge || items.length === wanted) return { items, passed, lastId, hasMore: true, tooLarge }
        items.push(record)
      }
      passed += 1
      lastId = id
    }
    after = links.last
  } while (after)
  return { items, passed, lastId, hasMore: false, tooLarge: false }
}

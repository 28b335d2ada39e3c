import type { RowAccess } from '../../../accounts/access/row-access.ts'
import { maxScannedLinks } from '../../../kernel/limits/relations.ts'
import type { Caller } from '../../../kernel/principal.ts'
import { pageTooLarge } from '../../../platform/http/paging/fit-page.ts'
import type { PageQuery } from '../../../platform/http/paging/page-query.ts'
import { addSizes, isTooLarge, noSize, sizeOfText } from '../../../platform/http/routing/answer-size.ts'
import type { Page } from '../../../platform/http/routing/envelope.ts'
import { idKey } from '../../../platform/store/keys/key.ts'
import { recordKey } from '../../../platform/store/keys/records.ts'
import { otherIdOf } from '../../../platform/store/keys/relations.ts'
import { readPages } from '../../../platform/store/ranges/read-all.ts'
import type { KeyRange, Store } from '../../../platform/store/store.ts'
import { relatedCursors } from './related-cursors.ts'

/** Links read for one page. A larger total is not exact. */
const recordsPerRead = 500

/**
 * A page of related records for a caller from whom row rules hide some. Reads every linked record to count and to skip,
 * so that neither the total nor a cursor reveals a hidden one.
 */
export async function listVisible<R extends { readonly id: number }>(
  services: { readonly store: Store; readonly access: RowAccess },
  caller: Caller,
  far: string,
  range: KeyRange,
  { page, per_page, cursor }: PageQuery,
  find: (ids: readonly number[]) => Promise<readonly (R | undefined)[]>,
): Promise<Page<R>> {
  const position = cursor ? relatedCursors.read(cursor) : undefined
  const { ids, isWhole } = await visibleIds(services, caller, far, range, position?.lastId)
  const before = position?.seen ?? 0
  const offset = position ? before : (page - 1) * per_page
  const start = offset - before
  const items: R[] = []
  let size = noSize
  for (const record of await find(ids.slice(start, start + per_page))) {
    if (!record) continue
    size = addSizes(size, sizeOfText(JSON.stringify(record)))
    if (isTooLarge(size) && items.length > 0) {
      if (!position) throw pageTooLarge(per_page, items.length)
      break
    }
    items.push(record)
  }
  const last = items.at(-1)?.id
  const hasMore = last !== undefined && (!isWhole || ids.at(-1) !== last)
  return {
    items,
    total: before + ids.length,
    perPage: per_page,
    page: position ? Math.floor(offset / per_page) + 1 : page,
    offset,
    nextCursor: hasMore ? relatedCursors.write({ lastId: last, seen: offset + items.length }) : null,
    ...(!isWhole && { meta: { total_exact: false } }),
  }
}

/** The linked records that the caller may see, newest first, after the id `after` or from the start. */
async function visibleIds(
  { store, access }: { readonly store: Store; readonly access: RowAccess },
  caller: Caller,
  far: string,
  range: KeyRange,
  after?: number,
): Promise<{ ids: number[]; isWhole: boolean }> {
  const { tenant } = caller
  const ids: number[] = []
  let scanned = 0
  let isWhole = true
  const from = after === undefined ? undefined : { ...idKey(range.pk, after) }
  for await (const links of readPages(store, tenant, { ...range, limit: recordsPerRead, after: from })) {
    const linked = links.items.map(otherIdOf)
    const records = await store.getMany(
      tenant,
      linked.map((id) => recordKey(tenant, far, id)),
    )
    const seen = await access.permitted(caller, far, 'read', records)
    ids.push(...linked.filter((_, index) => seen[index] !== undefined))
    scanned += linked.length
    isWhole = links.last === undefined
    if (scanned >= maxScannedLinks) break
  }
  return { ids, isWhole }
}

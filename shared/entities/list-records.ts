import { Invalid } from '../faults.ts'
import type { Page } from '../http/envelope.ts'
import type { PageQuery } from '../http/paging.ts'
import { idText, recordPartition } from '../store/keys.ts'
import type { KeyRange, Store } from '../store/table.ts'
import type { Sequence } from '../store/sequence.ts'
import type { Table } from '../tables/table.ts'
import type { Tenant } from '../tenancy.ts'
import { readListCursor, writeListCursor, type ListOrder } from './list-cursor.ts'
import { answerRecord, readLivingRecord } from './record-item.ts'
import type { EntityRecord } from './schema.ts'

/** A page ends before its JSON grows past what a response may carry. */
const maxPageBytes = 4 * 1024 * 1024

/**
 * One page of a table by id, newest first unless asked otherwise. `sequence` holds the last id given and how many records
 * live: that count is the total, moved with every create and delete, so it is exact at once and costs nothing to read.
 */
export async function listRecords(
  store: Store,
  tenant: Tenant,
  table: Table,
  sequence: Sequence,
  query: PageQuery,
  order: ListOrder = { ascending: false },
): Promise<Page<EntityRecord>> {
  const { per_page } = query
  const total = sequence.live
  const range: KeyRange = { pk: recordPartition(tenant, table.name), reverse: !order.ascending, livingOnly: true }
  const cursor = query.cursor ? readListCursor(query.cursor, order) : undefined
  const offset = cursor ? cursor.seen : (query.page - 1) * per_page
  const start = cursor ? idText(cursor.lastId) : await skip(store, tenant, range, offset, sequence, order)
  if (start === 'past the end') return { items: [], total, perPage: per_page, page: query.page, offset, nextCursor: null }

  const { items, hasMore, tooLarge } = await readPage(store, tenant, table, range, start, per_page)
  if (tooLarge && !cursor) {
    throw new Invalid({ per_page: [`A page of ${per_page} records is larger than 4 MB here; ${items.length} fit. Use a cursor or a smaller per_page.`] })
  }
  const seen = offset + items.length
  const lastId = items.at(-1)?.id
  return {
    items,
    total,
    perPage: per_page,
    page: cursor ? Math.floor(offset / per_page) + 1 : query.page,
    offset,
    nextCursor: hasMore && lastId !== undefined ? writeListCursor({ lastId, seen }, order) : null,
  }
}

/** The key after which the page begins; undefined for the very first. */
async function skip(
  store: Store,
  tenant: Tenant,
  range: KeyRange,
  offset: number,
  { last, live }: Sequence,
  { ascending }: ListOrder,
): Promise<string | undefined | 'past the end'> {
  if (offset === 0) return undefined
  if (offset >= live) return 'past the end'
  // Where no id was ever lost, the place of a record is its id.
  if (last === live) return idText(ascending ? offset : last - offset + 1)
  let after: Readonly<Record<string, string>> | undefined
  for (let left = offset; left > 0; ) {
    const page = await store.countPage(tenant, { ...range, limit: left, after })
    left -= page.count
    if (!page.last) return 'past the end'
    after = page.last
  }
  return after?.sk
}

/** Up to `wanted` living records; one more is looked at, to know whether the list goes on. */
async function readPage(store: Store, tenant: Tenant, table: Table, range: KeyRange, start: string | undefined, wanted: number) {
  const items: EntityRecord[] = []
  let bytes = 0
  let after: Readonly<Record<string, string>> | undefined = start === undefined ? undefined : { pk: range.pk, sk: start }
  do {
    const page = await store.query(tenant, { ...range, limit: wanted + 1 - items.length, after })
    for (const item of page.items) {
      const record = readLivingRecord(item)
      if (!record) continue
      bytes += String(item.data).length + 300
      const tooLarge = bytes > maxPageBytes && items.length > 0
      if (tooLarge || items.length === wanted) return { items, hasMore: true, tooLarge }
      items.push(answerRecord(table, record))
    }
    after = page.last
  } while (after)
  return { items, hasMore: false, tooLarge: false }
}

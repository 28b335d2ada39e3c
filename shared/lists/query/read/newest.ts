import type { TenantRef } from '../../../kernel/tenancy.ts'
import { bucketIds, bucketOf, idText } from '../../../platform/store/keys/key.ts'
import { recordPartition } from '../../../platform/store/keys/records.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import { recordAttributes } from './read-records.ts'

/** With more empty buckets in a row than this, the columns tell where records are. */
const maxEmptyBuckets = 8
const bucketsAtOnce = 16

/** Living records by id from the buckets themselves, so that every answered write shows at once. */
export interface ById {
  readonly items: readonly Item[]
  /** Buckets that many in a row are empty: look elsewhere for the next records. */
  readonly isSparse: boolean
}

/**
 * The next `wanted` living records with ids from `from` on, down to 1 or up to `last`. Reads only the buckets that these
 * would be in if no record were deleted, and some more when that is not enough.
 */
export async function readById(
  store: Pick<Store, 'query'>,
  tenant: TenantRef,
  model: string,
  { from, last, descending, wanted }: { from: number; last: number; descending: boolean; wanted: number },
): Promise<ById> {
  const items: Item[] = []
  const step = descending ? -1 : 1
  const end = descending ? -1 : bucketOf(last) + 1
  let empty = 0
  for (let bucket = bucketOf(from); bucket !== end && items.length < wanted;) {
    // The first bucket is entered in its midst.
    const inFirst = items.length > 0 ? 0 : descending ? (from % bucketIds) + 1 : bucketIds - (from % bucketIds)
    const more = Math.ceil(Math.max(0, wanted - items.length - inFirst) / bucketIds) + (inFirst > 0 ? 1 : 0)
    const count = Math.min(bucketsAtOnce, Math.max(1, more), Math.abs(end - bucket))
    const buckets = Array.from({ length: count }, (_, index) => bucket + step * index)
    const read = await Promise.all(
      buckets.map((one) => readBucket(store, tenant, model, one, { from, descending, wanted })),
    )
    for (const found of read) {
      empty = found.length === 0 ? empty + 1 : 0
      items.push(...found)
    }
    bucket += step * count
    if (empty > maxEmptyBuckets && items.length < wanted) return { items, isSparse: true }
  }
  return { items: items.slice(0, wanted), isSparse: false }
}

async function readBucket(
  store: Pick<Store, 'query'>,
  tenant: TenantRef,
  model: string,
  bucket: number,
  { from, descending, wanted }: { from: number; descending: boolean; wanted: number },
): Promise<readonly Item[]> {
  const items: Item[] = []
  const bounds = bucket === bucketOf(from) && { [descending ? 'to' : 'from']: idText(from) }
  let after: Readonly<Record<string, string>> | undefined
  do {
    const page = await store.query(tenant, {
      pk: recordPartition(tenant, model, bucket),
      ...bounds,
      reverse: descending,
      livingOnly: true,
      limit: Math.min(bucketIds, wanted),
      attributes: recordAttributes,
      after,
    })
    items.push(...page.items)
    after = page.last
  } while (after && items.length < wanted)
  return items
}

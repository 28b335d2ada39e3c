import type { TenantRef } from '../../../kernel/tenancy.ts'
import type { KeyRange } from '../client/key-range.ts'
import { bucketIds, bucketOf, idText } from '../keys/key.ts'
import { recordPartition } from '../keys/records.ts'
import type { Scope, Store } from '../store.ts'
import type { Item } from '../values/marshal.ts'
import { readAll } from './read-all.ts'

/** Records of a table by id. `from` and `to` are included. */
export interface RecordRange {
  readonly model: string
  readonly from: number
  readonly to: number
  /** The highest id first. */
  readonly reverse?: boolean
  /** Leaves out records that are being deleted. */
  readonly livingOnly?: boolean
  /** The attributes to answer; default: all. */
  readonly attributes?: readonly string[]
  /** Default true. Eventually consistent reads cost half. */
  readonly consistent?: boolean
}

/** How many buckets are read at once at most. */
const maxParallel = 16

/**
 * The records of a range, bucket by bucket in the order of ids; break out of the loop to stop early. `parallel` buckets
 * are read at once, then twice as many each time: a reader who stops soon has read little too much.
 */
export async function* eachBucket(
  store: Pick<Store, 'query'>,
  tenant: TenantRef,
  range: RecordRange,
  parallel = 1,
): AsyncGenerator<readonly Item[], void, undefined> {
  if (range.to < range.from) return
  const [first, last] = [bucketOf(range.from), bucketOf(range.to)]
  const count = last - first + 1
  let done = 0
  for (let atOnce = parallel; done < count; atOnce = Math.min(atOnce * 2, maxParallel)) {
    const places = Array.from({ length: Math.min(atOnce, count - done) }, (_, index) => done + index)
    done += places.length
    yield* await Promise.all(
      places.map((place) => readBucket(store, tenant, range, range.reverse ? last - place : first + place)),
    )
  }
}

function readBucket(
  store: Pick<Store, 'query'>,
  tenant: TenantRef,
  { model, from, to, ...options }: RecordRange,
  bucket: number,
): Promise<readonly Item[]> {
  const start = bucket * bucketIds
  return readAll(store, tenant, {
    pk: recordPartition(tenant, model, bucket),
    ...(from > start && { from: idText(from) }),
    ...(to < start + bucketIds - 1 && { to: idText(to) }),
    ...options,
  })
}

/** All records of a range; meant for some hundred ids. */
export async function readRecordRange(
  store: Pick<Store, 'query'>,
  tenant: TenantRef,
  range: RecordRange,
): Promise<Item[]> {
  const items: Item[] = []
  for await (const bucket of eachBucket(store, tenant, range, maxParallel)) items.push(...bucket)
  return items
}

/** Whether a table has a row of any record with an id up to `last`, also of one that is being deleted. */
export async function hasRecords(
  store: Pick<Store, 'query'>,
  tenant: TenantRef,
  model: string,
  last: number,
): Promise<boolean> {
  for await (const bucket of eachBucket(store, tenant, { model, from: 1, to: last, attributes: ['sk'] }))
    if (bucket.length > 0) return true
  return false
}

/** The key after which a page begins; undefined for the very first. */
export type StartKey = Readonly<Record<string, string>> | undefined

/**
 * The key to continue after to skip the first `count` items of a range. Counts keys on the server without receiving
 * them.
 */
export async function skipKeys(
  store: Pick<Store, 'countPage'>,
  scope: Scope,
  range: KeyRange,
  count: number,
): Promise<StartKey | 'past the end'> {
  let after: StartKey
  for (let left = count; left > 0;) {
    const page = await store.countPage(scope, { ...range, limit: left, after })
    if (!page.last) return 'past the end'
    left -= page.count
    after = page.last
  }
  return after
}

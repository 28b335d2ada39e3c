import type { TenantRef } from '../../kernel/tenancy.ts'
import { idAtEnd, idText } from '../store/keys/key.ts'
import { readMerged, type Shard } from '../store/ranges/merge-shards.ts'
import { readSequence } from '../store/sequence/sequence.ts'
import { slotAttributes } from '../store/slots.ts'
import type { Store } from '../store/store.ts'
import type { Item } from '../store/values/marshal.ts'

/** A partition of keys that end in the id of a row, in the table or in a slot index. */
export interface IdSource extends Shard {
  /** Whether all of its rows belong to the list: they are counted without being read. */
  readonly isExact?: boolean
}

/** What to scan: the ids below `after`, highest first; with `oldestFirst` those above it, lowest first. */
export interface IdRange {
  readonly after?: number
  readonly oldestFirst?: boolean
  /** See `MergedRange`. */
  readonly wanted?: number
}

/** Merges the ids of all sources: each once, highest first unless the range says otherwise. */
export async function* scanIds(
  store: Pick<Store, 'query'>,
  tenant: TenantRef,
  sources: readonly IdSource[],
  { after, oldestFirst = false, wanted }: IdRange = {},
): AsyncGenerator<readonly number[], void, undefined> {
  const range = { reverse: !oldestFirst, after: after === undefined ? undefined : idText(after), wanted }
  // Equal ids come in one page.
  for await (const { items } of readMerged(store, tenant, sources, range))
    yield [...new Set(items.map(({ sk }) => idAtEnd(String(sk))))]
}

export interface ScannedId {
  readonly id: number
  /** False for an id that no source has: its row is new, or does not exist. */
  readonly isListed: boolean
  /** Whether its row certainly belongs to the list. */
  readonly isExact?: boolean
}

/** Rows that an index may not have yet are among so many newest ids. */
const newestIds = 50

/** The same with the newest ids of the sequence, in the order of the range. */
export async function* scanWithNewestIds(
  store: Pick<Store, 'get' | 'query'>,
  tenant: TenantRef,
  sources: readonly IdSource[],
  sequence: string,
  range: IdRange,
): AsyncGenerator<readonly ScannedId[], void, undefined> {
  const { oldestFirst = false, after = oldestFirst ? 0 : Infinity } = range
  const compare = (a: number, b: number): number => (oldestFirst ? a - b : b - a)
  const scan = scanIds(store, tenant, sources, range)
  const [first, { last }] = await Promise.all([scan.next(), readSequence(store, tenant, sequence)])
  let newest = Array.from({ length: Math.min(newestIds, last) }, (_, index) => last - index)
    .filter((id) => compare(id, after) > 0)
    .sort(compare)
  for (let page = first; !page.done; page = await scan.next()) {
    const listed = new Set(page.value)
    const end = page.value.at(-1) ?? (oldestFirst ? 0 : Infinity)
    const unlisted = newest.filter((id) => compare(id, end) < 0 && !listed.has(id))
    newest = newest.filter((id) => compare(id, end) > 0)
    yield [...page.value.map(asListed), ...unlisted.map(asUnlisted)].sort((a, b) => compare(a.id, b.id))
  }
  yield newest.map(asUnlisted)
}

/** The same as `scanIds`, and which of the ids an exact source has. */
export async function* scanSources(
  store: Pick<Store, 'query'>,
  tenant: TenantRef,
  sources: readonly IdSource[],
  { after, oldestFirst = false, wanted }: IdRange,
): AsyncGenerator<readonly ScannedId[], void, undefined> {
  const isOfExact = exactness(sources)
  const range = { reverse: !oldestFirst, after: after === undefined ? undefined : idText(after), wanted }
  for await (const { items } of readMerged(store, tenant, sources, range)) {
    const ids = new Map<number, boolean>()
    for (const item of items) {
      const id = idAtEnd(String(item.sk))
      ids.set(id, ids.get(id) === true || isOfExact(item))
    }
    yield [...ids].map(([id, isExact]) => ({ id, isListed: true, isExact }))
  }
}

/** Tells whether a key comes from an exact source. */
function exactness(sources: readonly IdSource[]): (item: Item) => boolean {
  const exact = sources.filter(({ isExact }) => isExact)
  const partitions = new Set<unknown>(exact.map(({ pk }) => pk))
  const attributes = [
    ...new Set(exact.map(({ index }) => (index === undefined ? 'pk' : slotAttributes(index).partition))),
  ]
  return (item) => attributes.some((name) => partitions.has(item[name]))
}

export const asListed = (id: number): ScannedId => ({ id, isListed: true })
const asUnlisted = (id: number): ScannedId => ({ id, isListed: false })

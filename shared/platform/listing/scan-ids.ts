import type { TenantRef } from '../../kernel/tenancy.ts'
import { idAtEnd, idText } from '../store/keys/key.ts'
import { readMerged, type Shard } from '../store/ranges/merge-shards.ts'
import { readSequence } from '../store/sequence/sequence.ts'
import type { Store } from '../store/store.ts'

/** A partition of keys that end in the id of a row, in the table or in a slot index. */
export type IdSource = Shard

/** What to scan: the ids below `before`. `wanted`: see `MergedRange`. */
export interface IdRange {
  readonly before?: number
  readonly wanted?: number
}

/** Merges the ids of all sources: each once, highest first. */
export async function* scanIds(
  store: Pick<Store, 'query'>,
  tenant: TenantRef,
  sources: readonly IdSource[],
  { before, wanted }: IdRange = {},
): AsyncGenerator<readonly number[], void, undefined> {
  const after = before === undefined ? undefined : idText(before)
  // Equal ids come in one page.
  for await (const { items } of readMerged(store, tenant, sources, { reverse: true, after, wanted }))
    yield [...new Set(items.map(({ sk }) => idAtEnd(String(sk))))]
}

export interface ScannedId {
  readonly id: number
  /** False for an id that no source has: its row is new, or does not exist. */
  readonly isListed: boolean
}

/** Rows that an index may not have yet are among so many newest ids. */
const newestIds = 50

/** The same from the highest id on, with the newest ids of the sequence. */
export async function* scanNewestIds(
  store: Pick<Store, 'get' | 'query'>,
  tenant: TenantRef,
  sources: readonly IdSource[],
  sequence: string,
  wanted: number,
): AsyncGenerator<readonly ScannedId[], void, undefined> {
  const scan = scanIds(store, tenant, sources, { wanted })
  const [first, { last }] = await Promise.all([scan.next(), readSequence(store, tenant, sequence)])
  let newest = Array.from({ length: Math.min(newestIds, last) }, (_, index) => last - index)
  for (let page = first; !page.done; page = await scan.next()) {
    const listed = new Set(page.value)
    const lowest = page.value.at(-1) ?? Infinity
    const unlisted = newest.filter((id) => id > lowest && !listed.has(id))
    newest = newest.filter((id) => id < lowest)
    yield [...page.value.map(asListed), ...unlisted.map(asUnlisted)].sort((a, b) => b.id - a.id)
  }
  yield newest.map(asUnlisted)
}

export const asListed = (id: number): ScannedId => ({ id, isListed: true })
const asUnlisted = (id: number): ScannedId => ({ id, isListed: false })

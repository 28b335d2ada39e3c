import type { KeyRange, KeyRangePage } from '../client/key-range.ts'
import type { Scope, Store } from '../store.ts'
import type { Item } from '../values/marshal.ts'

/**
 * Reads a range page by page, from `range.after` or its start; break out of the loop to stop early. Ends after `most`
 * items, in pages of at most `range.limit`; the last page then has `last`, the key to continue after.
 */
export async function* readPages(
  store: Pick<Store, 'query'>,
  scope: Scope,
  range: KeyRange,
  most = Infinity,
): AsyncGenerator<KeyRangePage, void, undefined> {
  let left = most
  let { after } = range
  do {
    const limit = left === Infinity ? range.limit : Math.min(range.limit ?? left, left)
    const page = await store.query(scope, { ...range, limit, after })
    yield page
    left -= page.items.length
    after = page.last
  } while (after && left > 0)
}

/** Every item of a range, or the first `most` of them. */
export async function readAll(
  store: Pick<Store, 'query'>,
  scope: Scope,
  range: KeyRange,
  most?: number,
): Promise<Item[]> {
  const items: Item[] = []
  for await (const page of readPages(store, scope, range, most)) items.push(...page.items)
  return items
}

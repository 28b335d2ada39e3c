import type { KeyRange } from '../client/key-range.ts'
import type { Scope, Store } from '../store.ts'

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

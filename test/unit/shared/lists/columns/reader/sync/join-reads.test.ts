import { describe, expect, it } from 'vitest'
import { joinReads } from '../../../../../../../shared/lists/columns/reader/sync/read-log.ts'
import type { Key } from '../../../../../../../shared/platform/store/keys/key.ts'
import type { Store } from '../../../../../../../shared/platform/store/store.ts'

const tenant = { id: 7 }
const loose = { consistent: false } as const
const keys = (prefix: string, count: number): Key[] =>
  Array.from({ length: count }, (_, n) => ({ pk: prefix, sk: String(n) }))

/** A store in which each key has an item but those of the partition `none`, with how many keys each call had. */
function watched() {
  const calls: { count: number; consistent: boolean | undefined }[] = []
  const getMany: Store['getMany'] = async (_scope, wanted, _attributes, options) => {
    calls.push({ count: wanted.length, consistent: options?.consistent })
    if (wanted.some(({ pk }) => pk === 'broken')) throw new Error('the network is down')
    return wanted.map((key) => (key.pk === 'none' ? undefined : { ...key }))
  }
  return { calls, store: joinReads({ getMany }) }
}

describe('reads of one turn', () => {
  it('go out as one call, and each gets its own items', async () => {
    const { calls, store } = watched()
    const answers = await Promise.all([
      store.getMany(tenant, keys('a', 2), undefined, loose),
      store.getMany(tenant, keys('none', 3), undefined, loose),
      store.getMany(tenant, keys('b', 1), undefined, loose),
    ])
    expect(answers).toEqual([keys('a', 2), [undefined, undefined, undefined], keys('b', 1)])
    expect(calls).toEqual([{ count: 6, consistent: false }])
  })

  it('go out as several calls when one has no room for all', async () => {
    const { calls, store } = watched()
    const wanted = [keys('a', 60), keys('b', 40), keys('c', 1), keys('d', 101)]
    const answers = await Promise.all(wanted.map((some) => store.getMany(tenant, some, undefined, loose)))
    expect(answers).toEqual(wanted)
    expect(calls.map(({ count }) => count).toSorted((a, b) => a - b)).toEqual([1, 100, 101])
  })

  it('are not joined with those of a later turn, nor with strongly consistent ones, nor with some attributes', async () => {
    const { calls, store } = watched()
    const first = store.getMany(tenant, keys('a', 1), undefined, loose)
    const others = [store.getMany(tenant, keys('b', 2)), store.getMany(tenant, keys('c', 3), ['pk'], loose)]
    await first
    await store.getMany(tenant, keys('d', 4), undefined, loose)
    await Promise.all(others)
    expect(calls.toSorted((a, b) => a.count - b.count)).toEqual([
      { count: 1, consistent: false },
      { count: 2, consistent: undefined },
      { count: 3, consistent: false },
      { count: 4, consistent: false },
    ])
  })

  it('fail together, and the next ones do not', async () => {
    const { store } = watched()
    const outcomes = await Promise.allSettled(
      ['a', 'broken'].map((prefix) => store.getMany(tenant, keys(prefix, 1), undefined, loose)),
    )
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(await store.getMany(tenant, keys('a', 1), undefined, loose)).toEqual(keys('a', 1))
  })
})

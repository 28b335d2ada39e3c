import { describe, expect, it } from 'vitest'
import { withRangeCache } from '../../../../../../infra/local/dynamodb/read/range-cache.ts'
import {
  type Op,
  openStorage,
  type Range,
  type Storage,
} from '../../../../../../infra/local/runtime/storage/storage.ts'
import { randomFrom } from '../../../../shared/lists/columns/reader/random-numbers.ts'

const partition = (name: string): string => `ddb/item/Main/${name}/`
const key = (name: string, sort: number): string => `${partition(`h/${name}`)}${String(sort).padStart(4, '0')}/`
const whole = (name: string): Range => ({ gte: partition(`h/${name}`), lt: `${partition(`h/${name}`)}~` })
const put = (name: string, sort: number, value = `${name} ${sort}`): Op => ({
  type: 'put',
  key: key(name, sort),
  value,
})

/** A storage that counts its reads, and holds them up while `gate` is set. */
async function open() {
  const durable = await openStorage(':memory:')
  const state = { reads: 0, gate: undefined as Promise<void> | undefined }
  const read =
    <T>(run: (range: Range) => Promise<T>) =>
    async (range: Range): Promise<T> => {
      state.reads += 1
      const found = await run(range)
      await state.gate
      return found
    }
  const counted: Storage = { ...durable, values: read(durable.values), range: read(durable.range) }
  return { durable, state, cached: withRangeCache(counted) }
}

describe('the range cache', () => {
  it('answers what is asked again without a read, also any part of it', async () => {
    const { cached, state } = await open()
    await cached.commit([put('a', 1), put('a', 5), put('a', 9), put('b', 1)])
    await cached.values(whole('a'))
    await cached.values(whole('a'))
    const before = state.reads
    expect(await cached.values(whole('a'))).toEqual(['a 1', 'a 5', 'a 9'])
    expect(await cached.values({ ...whole('a'), reverse: true, limit: 2 })).toEqual(['a 9', 'a 5'])
    expect(await cached.values({ gt: key('a', 1), lte: key('a', 5) })).toEqual(['a 5'])
    expect(await cached.values({ gte: key('a', 6), lt: whole('a').lt as string, limit: 5 })).toEqual(['a 9'])
    expect(await cached.values({ gt: key('a', 9), lt: whole('a').lt as string })).toEqual([])
    expect(state.reads).toBe(before)
  })

  it('shows each change once it is committed, without another read', async () => {
    const { cached, state } = await open()
    await cached.commit([put('a', 1), put('a', 5)])
    for (let n = 0; n < 2; n += 1) await cached.values(whole('a'))
    const before = state.reads
    await cached.commit([
      put('a', 3),
      put('a', 5, 'new'),
      { type: 'del', key: key('a', 1) },
      { type: 'del', key: key('a', 2) },
    ])
    expect(await cached.values(whole('a'))).toEqual(['a 3', 'new'])
    expect(state.reads).toBe(before)
  })

  it('does not keep what a commit overtook', async () => {
    const { cached, state } = await open()
    await cached.commit([put('a', 1)])
    await cached.values(whole('a'))
    let letGo = (): void => undefined
    state.gate = new Promise<void>((resolve) => (letGo = resolve))
    const early = cached.values(whole('a'))
    await new Promise((resolve) => setTimeout(resolve, 5))
    await cached.commit([put('a', 2)])
    letGo()
    expect(await early).toEqual(['a 1'])
    expect(await cached.values(whole('a'))).toEqual(['a 1', 'a 2'])
  })

  it('forgets what a failed commit may have written', async () => {
    const durable = await openStorage(':memory:')
    let fails = false
    const cached = withRangeCache({
      ...durable,
      async commit(ops) {
        await durable.commit(ops)
        if (fails) throw new Error('the disk is gone')
      },
    })
    await cached.commit([put('a', 1)])
    for (let n = 0; n < 3; n += 1) await cached.values(whole('a'))
    fails = true
    await expect(cached.commit([put('a', 2)])).rejects.toThrow('the disk is gone')
    expect(await cached.values(whole('a'))).toEqual(['a 1', 'a 2'])
  })

  it('does not keep long ranges, nor such as grow', async () => {
    const { cached, state } = await open()
    await cached.commit(Array.from({ length: 200 }, (_, n) => put('long', n)))
    for (let n = 0; n < 4; n += 1) expect(await cached.values(whole('long'))).toHaveLength(200)
    expect(state.reads).toBe(4)
    await cached.commit([put('a', 1)])
    for (let n = 0; n < 3; n += 1) await cached.values(whole('a'))
    await cached.commit(Array.from({ length: 200 }, (_, n) => put('a', n)))
    const before = state.reads
    expect(await cached.values(whole('a'))).toHaveLength(200)
    expect(state.reads).toBe(before + 1)
  })

  it('answers as the storage does, whatever is written and read side by side', async () => {
    const { durable, cached } = await open()
    const below = randomFrom(7)
    const names = ['a', 'b', 'c']
    for (let step = 0; step < 400; step += 1) {
      const name = names[below(3)] as string
      const ops = Array.from({ length: 1 + below(4) }, (): Op =>
        below(3) === 0 ? { type: 'del', key: key(name, below(40)) } : put(name, below(40), `${step}`),
      )
      const from = below(45)
      const range: Range = {
        [below(2) === 0 ? 'gt' : 'gte']: key(name, from),
        ...(below(3) === 0 ? { lte: key(name, from + below(20)) } : { lt: whole(name).lt as string }),
        ...(below(2) === 0 && { reverse: true }),
        ...(below(3) === 0 && { limit: 1 + below(10) }),
      }
      const during = cached.values(below(2) === 0 ? range : whole(name))
      await Promise.all([during, cached.commit(ops)])
      for (const asked of [range, whole(name)]) expect(await cached.values(asked)).toEqual(await durable.values(asked))
    }
  })
})

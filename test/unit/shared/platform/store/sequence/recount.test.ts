import { afterAll, beforeAll, expect, it } from 'vitest'
import { recordKey, sequenceKey } from '../../../../../../shared/platform/store/keys/records.ts'
import { readRecordRange } from '../../../../../../shared/platform/store/ranges/record-range.ts'
import {
  beginRecount,
  findRecount,
  resumeRecount,
  joinRecount,
  moveRecordCount,
  type Recounted,
} from '../../../../../../shared/platform/store/sequence/recount.ts'
import { readSequence, allocateIds, reserveIds } from '../../../../../../shared/platform/store/sequence/sequence.ts'
import type { Store } from '../../../../../../shared/platform/store/store.ts'
import { seeded } from '../../../../../make/builders/lists/query-records.ts'
import { interruptedStore } from '../../../../../make/services/stores/interrupted-store.ts'
import { openSingleTable, type SingleTable } from '../../../../../make/services/stores/single-table.ts'

const tenant = { id: 1 }
let single: SingleTable
beforeAll(async () => {
  single = await openSingleTable()
})
afterAll(() => single?.close())

/** Creates, deletes and restores records, with their count in the same transaction. */
const changes = (store: Store, model: string) => {
  let tokens = 0
  const alter = (id: number, by: 1 | -1) =>
    store.transact(
      tenant,
      [
        by > 0 ? { put: { ...recordKey(tenant, model, id) } } : { remove: recordKey(tenant, model, id) },
        moveRecordCount(tenant, model, [id], by),
      ],
      `${model} ${tokens++}`,
    )
  return {
    create: async () =>
      store.write(tenant, { put: { ...recordKey(tenant, model, await allocateIds(store, tenant, model)) } }),
    remove: (id: number) => alter(id, -1),
    restore: (id: number) => alter(id, 1),
  }
}

it.each([1, 2, 3, 4, 5, 6])(
  'a recount is exact while records are created, deleted and restored (seed %d)',
  async (seed) => {
    const { store } = single
    const model = `counted${seed}`
    const { create, remove, restore } = changes(store, model)
    // The ids lie on both sides of a bucket's border.
    await reserveIds(store, tenant, model, 50)
    for (let n = 0; n < 30; n += 1) await create()
    await store.write(tenant, {
      update: sequenceKey(tenant, model),
      change: { expression: 'ADD #live :n', names: { '#live': 'live' }, values: { ':n': seed * 7 - 20 } },
    })
    await store.write(tenant, beginRecount(tenant, model, 'a'))

    const random = seeded(seed)
    const gone: number[] = []
    let left = 12
    const disturbed = single.storeThrough(async (operation, call) => {
      const answer = await call()
      if (!['GetItem', 'Query'].includes(operation) || left-- <= 0) return answer
      const id = 51 + random(30)
      if (!gone.includes(id)) await remove(id).then(() => gone.push(id))
      if (random(3) === 0) await restore(gone.shift() as number)
      if (random(2) === 0) await create()
      return answer
    })
    const found = await resumeRecount(disturbed, tenant, model, 'a', () => false, 7)

    expect(left).toBeLessThanOrEqual(0)
    expect(found).toMatchObject({ to: 80 })
    const { was, is } = found as Recounted
    expect(was - is).toBe(seed * 7 - 20)
    await restore(gone[0] as number)
    const items = await readRecordRange(store, tenant, { model, from: 1, to: 1000 })
    expect((await readSequence(store, tenant, model)).live).toBe(items.length)
    expect(
      Object.keys((await store.get(tenant, sequenceKey(tenant, model))) as object).filter((name) =>
        name.startsWith('recount'),
      ),
    ).toEqual([])
  },
)

it('a new recount replaces the one before and forgets its state', async () => {
  const { store } = single
  const { create, remove } = changes(store, 'twice')
  for (let n = 0; n < 5; n += 1) await create()
  await store.write(tenant, beginRecount(tenant, 'twice', 'a'))
  expect(await resumeRecount(store, tenant, 'twice', 'a', () => true)).toBe('time is up')
  await remove(2)
  await store.write(tenant, beginRecount(tenant, 'twice', 'b'))
  await remove(4)
  // A worker of the first recount did not wait for creates that were in flight when the second one started.
  expect(await resumeRecount(store, tenant, 'twice', 'a', () => false)).toBe('in other hands')
  expect(await resumeRecount(store, tenant, 'twice', 'b', () => false)).toEqual({ was: 3, is: 3, to: 5 })
  expect((await readSequence(store, tenant, 'twice')).live).toBe(3)
})

it('a worker that joins a recount in flight continues it, and one of them finishes it', async () => {
  const { store } = single
  const { create } = changes(store, 'joined')
  for (let n = 0; n < 5; n += 1) await create()
  expect(await joinRecount(store, tenant, 'joined', 'a')).toBe('a')
  expect(await resumeRecount(store, tenant, 'joined', 'a', () => true, 2)).toBe('time is up')
  expect([await joinRecount(store, tenant, 'joined', 'b'), await findRecount(store, tenant, 'joined')]).toEqual([
    'a',
    'a',
  ])
  const outcomes = await Promise.all([1, 2].map(() => resumeRecount(store, tenant, 'joined', 'a', () => false, 2)))
  expect(outcomes).toContainEqual({ was: 5, is: 5, to: 5 })
  expect(outcomes).toContain('in other hands')
})

it('records created meanwhile do not delay a recount', async () => {
  const { store } = single
  const { create, remove } = changes(store, 'growing')
  for (let n = 0; n < 4; n += 1) await create()
  await store.write(tenant, beginRecount(tenant, 'growing', 'a'))
  let calls = 0
  const busy = single.storeThrough(async (_operation, call) => {
    calls += 1
    const answer = await call()
    await create()
    await remove(4 + calls)
    return answer
  })
  expect(await resumeRecount(busy, tenant, 'growing', 'a', () => calls > 20)).toEqual({ was: 4, is: 4, to: 4 })
})

it('resumeRecount counts nothing when no recount was started', async () => {
  expect(await findRecount(single.store, tenant, 'never')).toBeUndefined()
  expect(await resumeRecount(single.store, tenant, 'never', 'a', () => false)).toBe('in other hands')
})

/** The store in which `meanwhile` runs once, after the first transaction was refused. */
const refusedOnce = (meanwhile: () => Promise<unknown>): Store => {
  let wasRefused = false
  return single.storeThrough(async (operation, call) => {
    if (operation !== 'TransactWriteItems' || wasRefused) return call()
    wasRefused = true
    try {
      return await call()
    } finally {
      await meanwhile()
    }
  })
}

it('a delete that meets a recount counts for the ids that the recount has reached by then', async () => {
  const { store } = single
  const { create } = changes(store, 'met')
  for (let n = 0; n < 5; n += 1) await create()
  await store.write(tenant, beginRecount(tenant, 'met', 'a'))
  const advancing = refusedOnce(() => resumeRecount(store, tenant, 'met', 'a', () => true))
  await changes(advancing, 'met').remove(2)
  expect(await resumeRecount(store, tenant, 'met', 'a', () => false)).toEqual({ was: 4, is: 4, to: 5 })
})

it('a delete that meets a recount which is replaced counts for the new one', async () => {
  const { store } = single
  const { create } = changes(store, 'replaced')
  for (let n = 0; n < 5; n += 1) await create()
  await store.write(tenant, beginRecount(tenant, 'replaced', 'a'))
  await create()
  const replacing = refusedOnce(() => store.write(tenant, beginRecount(tenant, 'replaced', 'b')))
  await changes(replacing, 'replaced').remove(6)
  expect(await resumeRecount(store, tenant, 'replaced', 'b', () => false)).toEqual({ was: 5, is: 5, to: 6 })
})

it('a range of ids is counted once, of two workers who count it at the same time', async () => {
  const { store } = single
  const { create } = changes(store, 'both')
  for (let n = 0; n < 5; n += 1) await create()
  await store.write(tenant, beginRecount(tenant, 'both', 'a'))
  const overtaken = interruptedStore(single, 'UpdateItem', () =>
    resumeRecount(store, tenant, 'both', 'a', () => true, 3),
  )
  expect(await resumeRecount(overtaken, tenant, 'both', 'a', () => false, 3)).toEqual({ was: 5, is: 5, to: 5 })
})

it('a worker of a recount that is replaced counts nothing for the new one', async () => {
  const { store } = single
  const { create } = changes(store, 'other')
  for (let n = 0; n < 5; n += 1) await create()
  await store.write(tenant, beginRecount(tenant, 'other', 'a'))
  const overtaken = interruptedStore(single, 'UpdateItem', () =>
    store.write(tenant, beginRecount(tenant, 'other', 'b')),
  )
  expect(await resumeRecount(overtaken, tenant, 'other', 'a', () => false)).toBe('in other hands')
  expect((await store.get(tenant, sequenceKey(tenant, 'other')))?.recount_upto).toBe(0)
})

it('a record that is deleted after its range was read is not counted', async () => {
  const { store } = single
  const { create, remove } = changes(store, 'late')
  for (let n = 0; n < 5; n += 1) await create()
  await store.write(tenant, beginRecount(tenant, 'late', 'a'))
  const overtaken = interruptedStore(single, 'UpdateItem', () => remove(2))
  expect(await resumeRecount(overtaken, tenant, 'late', 'a', () => false)).toEqual({ was: 4, is: 4, to: 5 })
})

it('a recount that cannot be written fails, and does not pass for one that another worker has taken', async () => {
  const { store } = single
  const { create } = changes(store, 'failing')
  await create()
  const broken = single.storeThrough((operation, call) =>
    operation === 'UpdateItem' ? Promise.reject(new Error('no capacity')) : call(),
  )
  await expect(joinRecount(broken, tenant, 'failing', 'a')).rejects.toThrow('no capacity')
  await store.write(tenant, beginRecount(tenant, 'failing', 'a'))
  await expect(resumeRecount(broken, tenant, 'failing', 'a', () => true)).rejects.toThrow('no capacity')
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dueEntry, dueSlot, slotName } from '../../../../../../shared/platform/store/slots.ts'
import { createStore, type KeyRange } from '../../../../../../shared/platform/store/store.ts'
import { openSingleTable, type SingleTable } from '../../../../../make/services/stores/single-table.ts'

const tenant = { id: 1 }
const pk = 'T#1#letters'
let single: SingleTable
beforeAll(async () => {
  single = await openSingleTable()
  await single.store.putMany(tenant, [
    ...['a1', 'a2', 'b1', 'b2', 'c1'].map((sk) => ({ pk, sk, text: `letter ${sk}`, kind: 'letter' })),
    { pk, sk: 'd1', deleted_at: '2026-11-20T08:00:00.000Z' },
    { pk: 'T#1#other', sk: 'a1' },
    ...['e1', 'e2'].map((sk) => ({ pk: 'T#1#due', sk, ...dueEntry({ pk: 'T#1#DUE', sk: `due ${sk}` }) })),
  ])
})
afterAll(() => single?.close())

const sortKeys = async (range: Omit<KeyRange, 'pk'>) =>
  (await single.store.query(tenant, { pk, ...range })).items.map(({ sk }) => sk)

describe('a range of a partition', () => {
  it.each([
    ['everything', {}, ['a1', 'a2', 'b1', 'b2', 'c1', 'd1']],
    ['what begins alike', { prefix: 'b' }, ['b1', 'b2']],
    ['both ends and what lies between', { from: 'a2', to: 'b2' }, ['a2', 'b1', 'b2']],
    ['everything from one key on', { from: 'b2' }, ['b2', 'c1', 'd1']],
    ['everything up to a key', { to: 'a2' }, ['a1', 'a2']],
    ['the last first', { from: 'b1', reverse: true }, ['d1', 'c1', 'b2', 'b1']],
    ['a number of them', { limit: 2 }, ['a1', 'a2']],
    ['what comes after a page', { after: { pk, sk: 'b2' } }, ['c1', 'd1']],
    ['what is not being deleted', { from: 'c1', livingOnly: true }, ['c1']],
  ])('holds %s', async (_what, range, expected) => {
    expect(await sortKeys(range)).toEqual(expected)
  })

  it('answers the named attributes only, reserved words among them', async () => {
    const { items } = await single.store.query(tenant, { pk, prefix: 'a', attributes: ['sk', 'text'] })
    expect(items).toEqual([
      { sk: 'a1', text: 'letter a1' },
      { sk: 'a2', text: 'letter a2' },
    ])
  })

  it('of an index is read by the keys of its entries', async () => {
    const due = (range: Partial<KeyRange>) =>
      single.store.query(tenant, { pk: 'T#1#DUE', index: slotName(dueSlot), ...range })
    expect((await due({ to: 'due e1' })).items).toMatchObject([{ pk: 'T#1#due', sk: 'e1' }])
    expect((await due({})).items).toHaveLength(2)
  })

  it('is read consistently unless its reader or its index allows less', async () => {
    const asked: unknown[] = []
    const client = {
      send: async ({ input }: { input: { ConsistentRead?: boolean } }) => (asked.push(input.ConsistentRead), {}),
    }
    const store = createStore('Table', client as never)
    await store.query(tenant, { pk })
    await store.query(tenant, { pk, consistent: false })
    await store.query(tenant, { pk, index: slotName(dueSlot) })
    expect(asked).toEqual([true, false, undefined])
  })
})

describe('keys at their greatest length', () => {
  const maxSort = 'ö'.repeat(512)
  const maxPartition = `T#1#${'ö'.repeat(1022)}`

  it('are found', async () => {
    const items = [
      { pk, sk: maxSort },
      { pk: maxPartition, sk: 'a' },
    ]
    await single.store.putMany(tenant, items)
    expect(await single.store.getMany(tenant, items)).toEqual(items)
    expect(await single.store.get(tenant, { pk, sk: maxSort })).toEqual({ pk, sk: maxSort })
    expect(await sortKeys({ prefix: maxSort })).toEqual([maxSort])
  })

  it.each([
    ['sort key', { pk, sk: `${maxSort}x` }],
    ['partition key', { pk: `${maxPartition}x`, sk: 'a' }],
  ])('and one byte more in the %s name nothing, which is no error', async (_what, key) => {
    expect(await single.store.get(tenant, key)).toBeUndefined()
    expect(await single.store.getMany(tenant, [key])).toEqual([undefined])
    expect(await single.store.query(tenant, { pk: key.pk, prefix: key.sk })).toEqual({ items: [] })
    expect(await single.store.countPage(tenant, { pk: key.pk, prefix: key.sk })).toEqual({ count: 0 })
  })
})

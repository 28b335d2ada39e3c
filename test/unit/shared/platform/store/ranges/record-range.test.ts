import { afterAll, beforeAll, expect, it } from 'vitest'
import { recordKey } from '../../../../../../shared/platform/store/keys/records.ts'
import { eachBucket, hasRecords, readRecordRange } from '../../../../../../shared/platform/store/ranges/record-range.ts'
import { openSingleTable, type SingleTable } from '../../../../../make/services/stores/single-table.ts'

const tenant = { id: 1 }
const model = 'requests'
const stored = [1, 2, 63, 64, 65, 127, 128, 640, 641, 1300]
const marked = 65
let single: SingleTable
beforeAll(async () => {
  single = await openSingleTable()
  await single.store.putMany(
    tenant,
    stored.map((id) => ({
      ...recordKey(tenant, model, id),
      kind: 'record',
      title: `Title ${id}`,
      ...(id === marked && { deleted_at: '2026-01-01T00:00:00.000Z' }),
    })),
  )
})
afterAll(() => single?.close())

const idsIn = async (range: Partial<Parameters<typeof readRecordRange>[2]>): Promise<number[]> =>
  (await readRecordRange(single.store, tenant, { model, from: 1, to: 2000, ...range })).map(({ sk }) => Number(sk))

it('a range is read over bucket borders in the order of ids, rising or falling', async () => {
  expect(await idsIn({})).toEqual(stored)
  expect(await idsIn({ reverse: true })).toEqual(stored.toReversed())
})

it.each([
  { from: 2, to: 128 },
  { from: 64, to: 64 },
  { from: 63, to: 64 },
  { from: 66, to: 126 },
  { from: 65, to: 127 },
  { from: 500, to: 1300 },
  { from: 1, to: 0 },
])('a range from $from to $to has both ends', async (range) => {
  const wanted = stored.filter((id) => id >= range.from && id <= range.to)
  expect(await idsIn(range)).toEqual(wanted)
  expect(await idsIn({ ...range, reverse: true })).toEqual(wanted.toReversed())
})

it('livingOnly leaves out records that are being deleted, attributes all others', async () => {
  expect(await idsIn({ livingOnly: true })).toEqual(stored.filter((id) => id !== marked))
  expect(
    await readRecordRange(single.store, tenant, { model, from: 640, to: 640, attributes: ['sk', 'title'] }),
  ).toEqual([{ sk: '000000000640', title: 'Title 640' }])
})

it('each bucket is answered by itself, and a reader who stops early has read few of them', async () => {
  let queries = 0
  const counting = single.storeThrough(async (operation, call) => {
    if (operation === 'Query') queries += 1
    return call()
  })
  const buckets: number[] = []
  for await (const bucket of eachBucket(counting, tenant, { model, from: 1, to: 100_000 })) {
    buckets.push(bucket.length)
    if (buckets.length === 4) break
  }
  expect(buckets).toEqual([3, 3, 1, 0])
  expect(queries).toBeLessThanOrEqual(7)
})

it('a table has records as long as the row of one is left', async () => {
  expect(await hasRecords(single.store, tenant, model, 1300)).toBe(true)
  expect(await hasRecords(single.store, tenant, 'other', 1300)).toBe(false)
  expect(await hasRecords(single.store, tenant, model, 0)).toBe(false)
  await single.store.write(tenant, { put: { ...recordKey(tenant, 'leaving', 900), deleted_at: 'now' } })
  expect(await hasRecords(single.store, tenant, 'leaving', 1000)).toBe(true)
})

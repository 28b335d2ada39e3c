import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTenantScan } from '../../../../../shared/platform/store/tenant-scan.ts'
import { frozenClock } from '../../../../make/builders/frozen-clock.ts'
import { openSingleTable, type SingleTable } from '../../../../make/services/stores/single-table.ts'

let table: SingleTable
beforeAll(async () => {
  table = await openSingleTable()
})
afterAll(() => table?.close())

it('reads the whole table, at most as many units a second as it may', async () => {
  const tenant = { id: 7 }
  const text = 'x'.repeat(40_000)
  const rows = Array.from({ length: 100 }, (_, n) => ({
    pk: `T#${n % 2 ? 7 : 8}#ROW#${n}`,
    sk: 'row',
    kind: 'row',
    text,
  }))
  for (const of of [7, 8])
    await table.store.putMany(
      { id: of },
      rows.filter(({ pk }) => pk.startsWith(`T#${of}#`)),
    )
  const clock = frozenClock()
  const slept: number[] = []
  const sleep = async (ms: number) => {
    slept.push(ms)
    clock.advance(ms)
  }
  const scan = createTenantScan('Table', { clock: { ...clock, sleep }, unitsPerSecond: 200 }, table.client)
  let after: Readonly<Record<string, string>> | undefined
  let [found, pages] = [0, 0]
  do {
    const { items, last } = await scan(tenant, after)
    expect(items.every(({ pk }) => String(pk).startsWith('T#7#'))).toBe(true)
    found += items.length
    pages += 1
    after = last
  } while (after)
  expect([found, pages]).toEqual([50, 4])
  // A megabyte, read strongly consistent, takes 256 units and those of its last item: 1.3 s at 200 a second.
  expect(slept).toEqual([expect.closeTo(1300, -2), expect.closeTo(1300, -2), expect.closeTo(1300, -2)])
})

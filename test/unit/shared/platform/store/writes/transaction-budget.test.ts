import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { singleKey } from '../../../../../../shared/platform/store/keys/key.ts'
import type { Write } from '../../../../../../shared/platform/store/store.ts'
import { openSingleTable, type SingleTable } from '../../../../../make/services/stores/single-table.ts'

const tenant = { id: 1 }
let table: SingleTable
beforeAll(async () => {
  table = await openSingleTable()
})
afterAll(() => table.close())

const puts = (count: number, kind: string, text = ''): Write[] =>
  Array.from({ length: count }, (_, n) => ({ put: { ...singleKey(`T#1#${kind}#${n}`), kind, text } }))

describe('a transaction', () => {
  it('of 100 writes, or of almost 4 MB, is made', async () => {
    await table.store.transact(tenant, puts(100, 'many'), 'a')
    await table.store.transact(tenant, puts(10, 'large', 'x'.repeat(390_000)), 'b')
    expect(await table.itemsOf('T#1#')).toHaveLength(110)
  })

  it.each([
    [
      'of more writes',
      [...puts(30, 'file-claim'), ...puts(70, 'intent'), ...puts(1, 'record')],
      '70 messages, 30 files, 1 other row',
    ],
    ['of more bytes', puts(15, 'unique', 'é'.repeat(150_000)), '15 unique values'],
  ])('%s is refused before it is made, and says what it has', async (_what, writes, parts) => {
    const before = (await table.itemsOf('T#1#')).length
    await expect(table.store.transact(tenant, writes, 'c')).rejects.toMatchObject({
      code: 'record_too_large',
      message: expect.stringContaining(parts),
    })
    expect(await table.itemsOf('T#1#')).toHaveLength(before)
  })
})

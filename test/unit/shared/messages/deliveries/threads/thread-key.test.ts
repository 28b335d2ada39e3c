import { afterAll, beforeAll, expect, it } from 'vitest'
import { clock } from '../../../../../../shared/kernel/time/clock.ts'
import { threadKeys } from '../../../../../../shared/messages/deliveries/threads/thread-key.ts'
import { openSingleTable, type SingleTable } from '../../../../../make/services/stores/single-table.ts'

let table: SingleTable
beforeAll(async () => {
  table = await openSingleTable()
})
afterAll(() => table?.close())

it('makes one key for a tenant, whoever asks first', async () => {
  const instances = Array.from({ length: 5 }, () => threadKeys({ store: table.store, clock }))
  const keys = await Promise.all(instances.map((find) => find({ id: 1 })))
  expect(new Set(keys.map((key) => Buffer.from(key).toString('hex'))).size).toBe(1)
  expect(keys[0]).toHaveLength(32)
})

it('makes another key for another tenant', async () => {
  const find = threadKeys({ store: table.store, clock })
  expect(await find({ id: 2 })).not.toEqual(await find({ id: 1 }))
})

it('reads the row of a tenant once', async () => {
  let calls = 0
  const store = table.storeThrough((_, call) => {
    calls += 1
    return call()
  })
  const find = threadKeys({ store, clock })
  for (let times = 0; times < 3; times += 1) await find({ id: 1 })
  expect(calls).toBe(1)
})

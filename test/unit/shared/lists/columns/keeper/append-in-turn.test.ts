import { afterAll, beforeAll, expect, it } from 'vitest'
import { appendRows } from '../../../../../../shared/lists/columns/keeper/append-rows.ts'
import { type KeptTable, keeperLimits } from '../../../../../../shared/lists/columns/keeper/keeper-limits.ts'
import type { LogRow } from '../../../../../../shared/lists/columns/log-entry.ts'
import { frozenClock } from '../../../../../make/builders/frozen-clock.ts'
import { openSingleTable, type SingleTable } from '../../../../../make/services/stores/single-table.ts'

let single: SingleTable
beforeAll(async () => {
  single = await openSingleTable()
})
afterAll(() => single?.close())

const tenant = { id: 1, slug: 'acme', name: 'Acme Ltd', configVersion: 1 }
const row = (id: number): LogRow => ({ id, version: 1, isGone: false, values: new Map() })

it('appends of one process to a table need no retries', async () => {
  let puts = 0
  const store = single.storeThrough((name, call) => {
    if (name === 'PutItem') puts += 1
    return call()
  })
  const kept = (model: string): KeptTable => ({
    store,
    clock: { ...frozenClock(), sleep: () => new Promise(() => {}) },
    tables: { find: () => Promise.resolve(undefined) },
    limits: keeperLimits,
    tenant,
    model,
  })
  const heads = await Promise.all(
    Array.from({ length: 12 }, (_, index) => appendRows(kept(index % 2 ? 'plans' : 'requests'), [row(index + 1)])),
  )
  expect(puts).toBe(12)
  expect(heads.map(({ seq }) => seq).sort((a, b) => a - b)).toEqual([1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6])
})

it('an append that never ends does not stop the next one', async () => {
  let isFirst = true
  const store = single.storeThrough((name, call) => {
    if (name !== 'PutItem' || !isFirst) return call()
    isFirst = false
    return new Promise(() => {})
  })
  const kept: KeptTable = {
    store,
    clock: frozenClock(),
    tables: { find: () => Promise.resolve(undefined) },
    limits: keeperLimits,
    tenant,
    model: 'stuck',
  }
  void appendRows(kept, [row(1)])
  await expect(appendRows(kept, [row(2)])).resolves.toMatchObject({ seq: 1 })
})

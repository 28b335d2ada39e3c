import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { log } from '../../../../../../shared/kernel/runtime/log.ts'
import { isoTime } from '../../../../../../shared/kernel/time/clock.ts'
import { takeDue } from '../../../../../../shared/platform/store/due/take-due.ts'
import {
  processDueKey,
  processDuePartitions,
  processTimerKey,
} from '../../../../../../shared/platform/store/keys/processes.ts'
import { dueEntry } from '../../../../../../shared/platform/store/slots.ts'
import { frozenClock } from '../../../../../make/builders/frozen-clock.ts'
import { openSingleTable, type SingleTable } from '../../../../../make/services/stores/single-table.ts'

let table: SingleTable
beforeAll(async () => {
  table = await openSingleTable()
})
afterAll(() => table.close())

const clock = frozenClock()
const tenant = { id: 1 }
const minute = 60_000
const makeDue = (instance: number, dueMs: number) =>
  table.store.write(tenant, {
    put: {
      ...processTimerKey(tenant, instance, 'x'),
      kind: 'process_timer',
      ...dueEntry(processDueKey(isoTime(dueMs), tenant, instance)),
    },
  })
const take = async (withinMs = 0) =>
  (await takeDue({ store: table.store, clock }, processDuePartitions, 5_000, withinMs)).map(({ pk }) =>
    Number(String(pk).split('#').at(-1)),
  )
const remove = (instance: number) => table.store.write(tenant, { remove: processTimerKey(tenant, instance, 'x') })

it('takes everything that is due, over many pages, each item by one of two sweeps at once', async () => {
  const all = Array.from({ length: 2_400 }, (_, index) => index + 1)
  for (let start = 0; start < all.length; start += 100)
    await Promise.all(all.slice(start, start + 100).map((one) => makeDue(one, clock.now() - minute)))
  const [one, other] = await Promise.all([take(), take()])
  expect([...one, ...other].sort((a, b) => a - b)).toEqual(all)
  expect(await take()).toEqual([])
  for (let start = 0; start < all.length; start += 100) await Promise.all(all.slice(start, start + 100).map(remove))
})

it('takes what always fails again after 2, 4, 8 minutes, up to an hour', async () => {
  await makeDue(7, clock.now() - 1)
  const takenAt: number[] = []
  const waited: number[] = []
  const tellWait = (seconds: number) => void waited.push(Math.floor(seconds / 60))
  const start = clock.now()
  for (let at = 0; at < 200; at += 1) {
    const taken = await takeDue({ store: table.store, clock, tellWait }, processDuePartitions, 10)
    if (taken.length > 0) takenAt.push(Math.floor((clock.now() - start) / minute))
    clock.advance(minute + 1)
  }
  expect(takenAt).toEqual([0, 2, 6, 14, 30, 62, 122, 182])
  expect(waited).toEqual(takenAt)
  await remove(7)
})

it('takes the others when one cannot be moved', async () => {
  const logged = vi.spyOn(log, 'error').mockImplementation(() => {})
  for (const instance of [11, 12, 13]) await makeDue(instance, clock.now() - 1)
  const update: typeof table.store.update = async (scope, one) => {
    if (one.update.pk.endsWith('#12')) throw new Error('too large')
    return table.store.update(scope, one)
  }
  const taken = await takeDue({ store: { ...table.store, update }, clock }, processDuePartitions, 10)
  expect(taken.map(({ pk }) => Number(String(pk).split('#').at(-1))).toSorted()).toEqual([11, 13])
  expect(logged).toHaveBeenCalledOnce()
  logged.mockRestore()
  await Promise.all([11, 12, 13].map(remove))
})

it('takes what is due soon once, and again only after it was due', async () => {
  await makeDue(8, clock.now() + minute)
  expect(await take(75_000)).toEqual([8])
  clock.advance(minute)
  expect(await take(75_000)).toEqual([])
  clock.advance(2 * minute)
  expect(await take(75_000)).toEqual([8])
})

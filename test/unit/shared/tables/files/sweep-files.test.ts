import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { isoTime } from '../../../../../shared/kernel/time/clock.ts'
import { fileKey } from '../../../../../shared/platform/store/keys/files.ts'
import { fileItem, filePath } from '../../../../../shared/tables/files/file-row.ts'
import { sweepFiles } from '../../../../../shared/tables/files/sweep-files.ts'
import { type FrozenClock, frozenClock } from '../../../../make/builders/frozen-clock.ts'
import { openSingleTable, type SingleTable } from '../../../../make/services/stores/single-table.ts'

let table: SingleTable
let tenants = 0
beforeEach(async () => {
  table = await openSingleTable()
  vi.spyOn(process.stderr, 'write').mockReturnValue(true)
})
afterEach(() => {
  vi.restoreAllMocks()
  return table?.close()
})

const minute = 60_000
const hour = 60 * minute + 1

/** A tenant whose uploads were made at the start of its clock. `refuses`: whether an object cannot be deleted now. */
function world(refuses: (path: string) => boolean) {
  const tenant = { id: ++tenants }
  const clock: FrozenClock = frozenClock()
  const tried: { readonly path: string; readonly at: number }[] = []
  const began = clock.now()
  const sweep = () =>
    sweepFiles(
      {
        store: table.store,
        clock,
        deleteObject: async (path) => {
          tried.push({ path, at: Math.round((clock.now() - began) / minute) })
          if (refuses(path)) throw new Error(`cannot delete ${path}`)
        },
      },
      () => false,
    )
  /** All in one shard, the first the oldest. */
  async function upload(count: number, name: string): Promise<string[]> {
    const made = Array.from({ length: count }, async (_, index) => {
      const token = `A${tenant.id}${name}${index}`.padEnd(24, 'x')
      const path = filePath(tenant, token, `${name}.txt`)
      const file = { token, path, name: `${name}.txt`, contentType: 'text/plain', size: 1, uploadedBy: 1 }
      const at = { createdAt: isoTime(began), dueAt: isoTime(clock.now()) }
      await table.store.write(tenant, { put: fileItem(tenant, file, at) })
      return token
    })
    clock.advance(1)
    return Promise.all(made)
  }
  const left = async (tokens: readonly string[]) =>
    (
      await table.store.getMany(
        tenant,
        tokens.map((token) => fileKey(tenant, token)),
      )
    ).filter(Boolean).length
  return { clock, sweep, upload, left, tried }
}

it('files whose objects cannot be deleted hide no other, however many they are', async () => {
  const { clock, sweep, upload, left } = world((path) => path.endsWith('stuck.txt'))
  const stuck = await upload(60, 'stuck')
  const others = await upload(60, 'free')
  expect(await sweep()).toEqual({ released: 0, removed: 0, failed: 0 })
  clock.advance(hour)
  expect(await sweep()).toEqual({ released: 0, removed: 60, failed: 60 })
  expect([await left(stuck), await left(others)]).toEqual([60, 0])
})

it('an object that cannot be deleted is tried again after 2, 4, 8 minutes, up to an hour, and goes when it can', async () => {
  let isRefused = true
  const { clock, sweep, upload, left, tried } = world(() => isRefused)
  const tokens = await upload(1, 'stuck')
  for (let at = 0; at < 250; at += 1) {
    await sweep()
    clock.advance(minute + 1)
  }
  expect(tried.map(({ at }) => at - (tried[0]?.at ?? 0))).toEqual([0, 2, 6, 14, 30, 62, 122, 182])
  isRefused = false
  clock.advance(hour)
  expect(await sweep()).toEqual({ released: 0, removed: 1, failed: 0 })
  expect(await left(tokens)).toBe(0)
})

it('is worked off by one of two sweeps at once', async () => {
  const { clock, sweep, upload, tried } = world(() => false)
  await upload(30, 'free')
  await Promise.all([sweep(), sweep()])
  clock.advance(hour)
  const [one, other] = await Promise.all([sweep(), sweep()])
  expect(one.removed + other.removed).toBe(30)
  expect(tried).toHaveLength(30)
})

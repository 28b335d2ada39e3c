import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Caller } from '../../../../../shared/kernel/principal.ts'
import { isoTime } from '../../../../../shared/kernel/time/clock.ts'
import { fileClaimKey, fileKey } from '../../../../../shared/platform/store/keys/files.ts'
import { beginUpload } from '../../../../../shared/tables/files/begin-upload.ts'
import type { FileDependencies } from '../../../../../shared/tables/files/check-upload.ts'
import { claimItem, type FileHolder, releaseItem } from '../../../../../shared/tables/files/claim-rows.ts'
import { openDownload } from '../../../../../shared/tables/files/open-download.ts'
import { releaseFiles } from '../../../../../shared/tables/files/release-files.ts'
import { storeFile } from '../../../../../shared/tables/files/store-file.ts'
import { sweepFiles } from '../../../../../shared/tables/files/sweep-files.ts'
import { type FrozenClock, frozenClock } from '../../../../make/builders/frozen-clock.ts'
import { openSingleTable, type SingleTable } from '../../../../make/services/stores/single-table.ts'

let single: SingleTable
let clock: FrozenClock
let tenant: { readonly id: number }
let signed: number[]
let removed: string[]
beforeAll(async () => {
  single = await openSingleTable()
})
afterAll(() => single?.close())
let tenants = 0
beforeEach(() => {
  clock = frozenClock()
  tenant = { id: (tenants += 1) }
  signed = []
  removed = []
})

const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000]
const content = Buffer.from('hello')

function files(): FileDependencies & { readonly putObject: () => Promise<void> } {
  const sign = async (...given: unknown[]) => {
    signed.push(given.at(-1) as number)
    return 'https://files.test'
  }
  const readHead = async () => ({ sizeBytes: content.length, head: content })
  const objects = { uploadUrl: sign, downloadUrl: sign, readHead } as never
  return { store: single.store, clock, objects: async () => objects, putObject: async () => {} }
}
const caller = () => ({ tenant, userId: 3, permissions: new Set() }) as unknown as Caller
const upload = () => beginUpload(files(), caller(), { name: 'a.txt', content_type: 'text/plain', size: content.length })
const store = () => storeFile(files(), tenant, { name: 'a.txt', contentType: 'text/plain', bytes: content })
const tokenOf = (path: string): string => path.split('/')[2] as string
const rowOf = (path: string) => single.store.get(tenant, fileKey(tenant, tokenOf(path)))
/** Sweeps until nothing is due; answers what was removed. */
async function sweep(): Promise<readonly string[]> {
  const deleteObject = async (key: string) => void removed.push(key)
  await sweepFiles({ store: single.store, clock, deleteObject }, () => false)
  return removed
}

const holder: FileHolder = { model: 'requests', id: 42, version: 5 }
const claim = (path: string, more: Partial<FileHolder> = {}) =>
  single.store.write(tenant, { put: claimItem(tenant, tokenOf(path), { ...holder, ...more }) })
const claimOf = (path: string) => single.store.get(tenant, fileClaimKey(tenant, tokenOf(path), 'requests', 42))
/** The claim of version 5 is released; `again` repeats it, as after a lost answer. */
async function release(path: string, by = 5): Promise<void> {
  const uuid = 'a'.repeat(8)
  const row = releaseItem(
    tenant,
    uuid,
    { by: { ...holder, version: by }, tokens: [tokenOf(path)] },
    isoTime(clock.now()),
  )
  await single.store.write(tenant, { put: row })
  await releaseFiles(files(), tenant, row)
}

/** A row is due in the millisecond after its time. Its object goes an hour after the sweeper found it unclaimed. */
describe('a file is removed', () => {
  it.each([
    ['that was announced', async () => (await upload()).path, day],
    ['of a message', async () => (await store()).path, day],
    [
      'whose last claim was released',
      async () => {
        const { path } = await store()
        await claim(path, { version: 4 })
        await release(path)
        return path
      },
      30 * day,
    ],
  ])('%s when nothing claims it for so long, and an hour more', async (_, make, afterMs) => {
    const path = await make()
    clock.advance(afterMs)
    await sweep()
    expect((await rowOf(path))?.leaving_at).toBeUndefined()
    clock.advance(1)
    await sweep()
    expect((await rowOf(path))?.leaving_at).toBe(isoTime(clock.now()))
    clock.advance(hour)
    expect(await sweep()).toEqual([])
    clock.advance(1)
    expect(await sweep()).toEqual([path])
    expect(await rowOf(path)).toBeUndefined()
  })

  it('not while something claims it, which it may also do between the two passes', async () => {
    const { path } = await store()
    clock.advance(day + 1)
    await sweep()
    await claim(path)
    clock.advance(hour + 1)
    await sweep()
    clock.advance(31 * day)
    expect(await sweep()).toEqual([])
    expect(await rowOf(path)).not.toHaveProperty('leaving_at')
  })

  it('once, by sweeps at the same moment', async () => {
    const { path } = await store()
    clock.advance(day + 1)
    await Promise.all([sweep(), sweep()])
    clock.advance(hour + 1)
    await Promise.all([sweep(), sweep()])
    expect(removed).toEqual([path])
  })
})

describe('a release', () => {
  it.each([
    ['a claim of a version before it goes', 4, false],
    ['a claim of its own version stays', 5, true],
    ['a claim of a later version stays', 6, true],
  ])('%s, also when it is repeated at the same moment', async (_, version, stays) => {
    const { path } = await store()
    await claim(path, { version })
    await Promise.all([release(path), release(path)])
    await release(path)
    expect((await claimOf(path)) !== undefined).toBe(stays)
    expect((await rowOf(path))?.released_at !== undefined).toBe(!stays)
  })

  it('does not begin to keep a file that another record holds', async () => {
    const { path } = await store()
    await claim(path, { version: 4 })
    await claim(path, { id: 43 })
    await release(path)
    expect(await rowOf(path)).not.toHaveProperty('released_at')
  })
})

describe('a signed address', () => {
  it('is valid for a quarter of an hour', async () => {
    const { path, upload: announced } = await upload()
    clock.advance(second)
    const none = async () => []
    const readers = { findRecords: none, mayReadComment: async () => false, mayReadMessage: async () => false }
    const { expires_at } = await openDownload(files(), caller(), path, readers)
    expect(signed).toEqual([900, 900])
    expect([announced.expires_at, expires_at]).toEqual([
      isoTime(clock.now() - second + 15 * minute),
      isoTime(clock.now() + 15 * minute),
    ])
  })
})

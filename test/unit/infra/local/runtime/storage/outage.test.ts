import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ClassicLevel } from 'classic-level'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { hasRoom } from '../../../../../../infra/local/runtime/room.ts'
import { StorageUnavailable } from '../../../../../../infra/local/runtime/storage/outage.ts'
import { openStorage, type Op, type Storage } from '../../../../../../infra/local/runtime/storage/storage.ts'

vi.mock('../../../../../../infra/local/runtime/room.ts', () => ({
  hasRoom: vi.fn<(directory: string) => Promise<boolean>>(),
}))

const put = (key: string, value: string): Op => ({ type: 'put', key, value })
const noSpace = (): Error =>
  Object.assign(new Error('IO error: /data/000017.ldb: No space left on device'), { code: 'LEVEL_IO_ERROR' })

let told: { level: string; message: string }[]
const fills = () => vi.spyOn(ClassicLevel.prototype, 'batch').mockRejectedValue(noSpace())

beforeEach(() => {
  told = []
  vi.mocked(hasRoom).mockResolvedValue(false)
})
afterEach(() => vi.restoreAllMocks())

async function open(): Promise<Storage> {
  const directory = await mkdtemp(join(tmpdir(), 'outage-'))
  const storage = await openStorage(directory, { lookEveryMs: 1, onOutage: (entry) => void told.push(entry) })
  onTestFinished(async () => {
    await storage.close()
    await rm(directory, { recursive: true, force: true })
  })
  return storage
}

describe('a full disk', () => {
  it('refuses every write in the words of a service that is down, and tells the operator once', async () => {
    const storage = await open()
    const batch = fills()
    const failed = await Promise.allSettled([storage.commit([put('a', '1')]), storage.commit([put('b', '1')])])
    for (const { reason } of failed as PromiseRejectedResult[]) {
      expect(reason).toBeInstanceOf(StorageUnavailable)
      expect(reason).toMatchObject({ statusCode: 503, body: { __type: 'com.amazon.coral.service#ServiceUnavailable' } })
    }
    await expect(storage.commit([put('c', '1')])).rejects.toBe(storage.outage()!.error)
    expect(batch).toHaveBeenCalledOnce()
    expect(told).toEqual([{ level: 'ERROR', message: expect.stringContaining('No space left on device. Requests') }])
  })

  it('lets reads go on', async () => {
    const storage = await open()
    await storage.commit([put('a', '1'), put('b', '2')])
    fills()
    await expect(storage.commit([put('a', '3')])).rejects.toThrow('cannot be written')
    expect(storage.get('a')).toBe('1')
    expect(await storage.range({ gte: 'a', lte: 'b' })).toEqual([
      ['a', '1'],
      ['b', '2'],
    ])
  })

  it('is over by itself once there is room, and everything answered is there', async () => {
    const storage = await open()
    await storage.commit([put('a', '1')])
    const batch = fills()
    await expect(storage.commit([put('b', '2')])).rejects.toThrow('cannot be written')
    const { over } = storage.outage()!
    batch.mockRestore()
    vi.mocked(hasRoom).mockResolvedValue(true)
    await over
    expect(storage.outage()).toBeUndefined()
    await storage.commit([put('c', '3')])
    expect(['a', 'b', 'c'].map(storage.get)).toEqual(['1', undefined, '3'])
    expect(told.map(({ level }) => level)).toEqual(['ERROR', 'WARN'])
  })

  it('takes back what the failed write left in the log, because its caller was told that it failed', async () => {
    const storage = await open()
    await storage.commit([put('changed', 'before'), put('removed', 'before')])
    const batch = fills()
    const ops: Op[] = [put('changed', 'after'), put('added', 'after'), { type: 'del', key: 'removed' }]
    await expect(storage.commit(ops)).rejects.toThrow('cannot be written')
    const { over } = storage.outage()!
    batch.mockRestore()
    // As when LevelDB could write the record but not sync it: it shows up when the directory is opened again.
    const close = vi.spyOn(ClassicLevel.prototype, 'close').mockImplementationOnce(async function (this: ClassicLevel) {
      await this.batch(ops as never)
      close.mockRestore()
      await this.close()
    })
    vi.mocked(hasRoom).mockResolvedValue(true)
    await over
    expect(['changed', 'added', 'removed'].map(storage.get)).toEqual(['before', undefined, 'before'])
  })

  it('goes on when the room is gone again while the directory is opened', async () => {
    const storage = await open()
    await storage.commit([put('a', '1')])
    const batch = fills()
    await expect(storage.commit([put('b', '2')])).rejects.toThrow('cannot be written')
    const { over, error } = storage.outage()!
    batch.mockRestore()
    const opening = vi.spyOn(ClassicLevel.prototype, 'open')
    opening.mockRejectedValueOnce(noSpace()).mockRejectedValueOnce(noSpace())
    vi.mocked(hasRoom).mockResolvedValue(true)
    await expect.poll(() => opening.mock.calls.length).toBeGreaterThan(0)
    await over
    expect(opening).toHaveBeenCalledTimes(3)
    expect(storage.get('a')).toBe('1')
    await storage.commit([put('b', '2')])
    expect(error.message).toContain('No space left on device')
  })

  it('can be closed', async () => {
    const storage = await open()
    fills()
    await expect(storage.commit([put('a', '1')])).rejects.toThrow('cannot be written')
    await storage.close()
  })

  it('is not what another failure of a write is', async () => {
    const storage = await open()
    vi.spyOn(ClassicLevel.prototype, 'batch').mockRejectedValueOnce(new TypeError('a value is missing'))
    await expect(storage.commit([put('a', '1')])).rejects.toThrow('could not be written: a value is missing.')
    expect(storage.outage()).toBeUndefined()
    await storage.commit([put('a', '1')])
  })
})

import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { type ArchivedEntry, beginArchive, openArchive } from '../../../../../shared/platform/objects/archive.ts'
import { partBytes } from '../../../../../shared/platform/objects/large-objects.ts'
import { directoryRecord, endOfDirectory } from '../../../../../shared/platform/objects/zip-format.ts'
import { memoryObjects } from '../../../../make/services/stores/memory-objects.ts'
import { extractWithUnzip, readZip } from '../../../../make/services/unzip.ts'

const key = 'exports/1/2/acme.zip'
const beganAt = '2026-11-20T08:00:00.000Z'
const large = randomBytes(3 * partBytes)
const contents: readonly (readonly [string, string | Buffer])[] = [
  ['empty.ndjson', ''],
  ['records/größe-0001.ndjson', '{"id":1}\n'.repeat(5000)],
  ['files/1/token/photo.png', large],
  ['manifest.json', '{}'],
]

/** Writes the contents; `pausesAfter` says after which of them another process continues. */
async function archiveOf(pausesAfter: (index: number) => boolean) {
  const memory = memoryObjects()
  const dependencies = { files: memory.files, objects: memory, uuid: randomUUID }
  const entries: ArchivedEntry[] = []
  let archive = await openArchive(dependencies, await beginArchive(memory.files, key, beganAt))
  for (const [index, [name, content]] of contents.entries()) {
    const chunks = typeof content === 'string' ? content : Readable.from(chunked(content))
    entries.push(await archive.add(name, chunks))
    if (pausesAfter(index)) archive = await openArchive(dependencies, await archive.suspend())
  }
  const size = await archive.finish()
  return { memory, entries, size, zip: memory.get(key) as Buffer }
}

function* chunked(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536)
}

describe('an archive', () => {
  it.each([
    ['without a pause', () => false],
    ['continued after every entry', () => true],
    ['continued in the middle', (index: number) => index === 2],
  ])('%s has all entries with their checksums, and opens with unzip', async (_title, pausesAfter) => {
    const { entries, size, zip } = await archiveOf(pausesAfter)
    expect(size).toBe(zip.length)
    const read = readZip(zip)
    expect([...read.keys()]).toEqual(contents.map(([name]) => name))
    const extracted = extractWithUnzip(zip) ?? read
    for (const [index, [name, content]] of contents.entries()) {
      const bytes = Buffer.from(content as string)
      expect([name, read.get(name)?.equals(bytes), extracted.get(name)?.equals(bytes)]).toEqual([name, true, true])
      expect(entries[index]).toEqual({
        name,
        sizeBytes: bytes.length,
        sha256: createHash('sha256').update(bytes).digest('hex'),
      })
    }
  })

  it('is the same bytes however often it is continued', async () => {
    expect((await archiveOf(() => true)).zip.equals((await archiveOf(() => false)).zip)).toBe(true)
  })

  it('holds little more than one part in memory', async () => {
    const { memory } = await archiveOf(() => true)
    expect(memory.largestPut()).toBeLessThan(partBytes + 128 * 1024)
  })
})

describe('an archive of more than four gigabytes', () => {
  const offset = 5 * 1024 ** 3

  it('has the offsets of its entries in the extra field of ZIP64', () => {
    const entry = { name: 'far', crc: 1, sizeBytes: 2, packedBytes: 3, offset }
    const record = directoryRecord(entry, new Date(beganAt))
    expect(record.readUInt32LE(42)).toBe(0xffff_ffff)
    const extra = record.subarray(46 + 3)
    expect([extra.readUInt16LE(0), extra.readUInt16LE(2), Number(extra.readBigUInt64LE(4))]).toEqual([1, 8, offset])
    expect(directoryRecord({ ...entry, offset: 7 }, new Date(beganAt)).readUInt32LE(42)).toBe(7)
  })

  it('says in the records of ZIP64 where its directory begins, and how many entries it has', () => {
    const end = endOfDirectory({ entries: 70_000, offset, sizeBytes: 9 })
    expect([Number(end.readBigUInt64LE(32)), Number(end.readBigUInt64LE(48))]).toEqual([70_000, offset])
    expect(Number(end.readBigUInt64LE(56 + 8))).toBe(offset + 9)
    const last = end.subarray(56 + 20)
    expect([last.readUInt16LE(10), last.readUInt32LE(16)]).toEqual([0xffff, 0xffff_ffff])
  })
})

import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { crc32, createDeflateRaw } from 'node:zlib'
import * as z from 'zod'
import type { filesBucket } from './files-bucket.ts'
import { type LargeObjects, partBytes } from './large-objects.ts'
import { dataDescriptor, directoryRecord, endOfDirectory, localHeader } from './zip-format.ts'

/** An unfinished archive: what another process needs to continue it. */
export const ArchiveState = z.object({
  key: z.string(),
  uploadId: z.string(),
  beganAt: z.string(),
  parts: z.array(z.object({ number: z.int(), etag: z.string() })),
  /** How many bytes there are so far. */
  size: z.int(),
  entries: z.int(),
  /** The object with the bytes that are too few for a part. */
  tail: z.string().nullable(),
  /** The objects with the records of the central directory. */
  directory: z.array(z.string()),
})
export type ArchiveState = z.output<typeof ArchiveState>

/** A written entry, with the SHA-256 of its content in hex. */
export interface ArchivedEntry {
  readonly name: string
  readonly sizeBytes: number
  readonly sha256: string
}

interface Dependencies {
  readonly files: LargeObjects
  readonly objects: ReturnType<typeof filesBucket>
  readonly uuid: () => string
}

export type Archive = Awaited<ReturnType<typeof openArchive>>

/** Begins the upload of an archive. `beganAt` (ISO) becomes the time of its entries. */
export const beginArchive = async (files: LargeObjects, key: string, beganAt: string): Promise<ArchiveState> => ({
  key,
  uploadId: await files.begin(key, 'application/zip'),
  beganAt,
  parts: [],
  size: 0,
  entries: 0,
  tail: null,
  directory: [],
})

/** S3 takes 10,000 parts. Every 200 parts they get larger, so an archive may reach some hundred gigabytes. */
const sizeOfPart = (uploaded: number): number => partBytes * (1 + Math.floor(uploaded / 200))

/**
 * Continues a ZIP archive that is uploaded in parts. At most one part is in memory. `suspend` answers the state from
 * which another call continues; after a crash the last state does.
 */
export async function openArchive({ files, objects, uuid }: Dependencies, from: ArchiveState) {
  const modified = new Date(from.beganAt)
  const parts = [...from.parts]
  const directory: Buffer[] = []
  let [size, entries] = [from.size, from.entries]
  let waiting: Uint8Array[] = from.tail === null ? [] : [await objects.fetchObject(from.tail)]
  let waitingBytes = waiting[0]?.byteLength ?? 0

  async function write(bytes: Uint8Array): Promise<void> {
    waiting.push(bytes)
    waitingBytes += bytes.byteLength
    size += bytes.byteLength
    if (waitingBytes >= sizeOfPart(parts.length)) await putPart()
  }

  async function putPart(): Promise<void> {
    parts.push(await files.putPart(from.key, from.uploadId, parts.length + 1, Buffer.concat(waiting)))
    waiting = []
    waitingBytes = 0
  }

  /** Writes an entry of less than 4 GB. */
  async function add(name: string, content: string | AsyncIterable<Uint8Array>): Promise<ArchivedEntry> {
    const offset = size
    const hash = createHash('sha256')
    let [crc, sizeBytes] = [0, 0]
    await write(localHeader(name, modified))
    const start = size
    await pipeline(
      typeof content === 'string' ? Readable.from([Buffer.from(content)]) : content,
      async function* (chunks: AsyncIterable<Uint8Array>) {
        for await (const chunk of chunks) {
          crc = crc32(chunk, crc)
          sizeBytes += chunk.byteLength
          hash.update(chunk)
          yield chunk
        }
      },
      createDeflateRaw(),
      async (packed: AsyncIterable<Uint8Array>) => {
        for await (const chunk of packed) await write(chunk)
      },
    )
    const found = { crc, sizeBytes, packedBytes: size - start }
    await write(dataDescriptor(found))
    directory.push(directoryRecord({ name, offset, ...found }, modified))
    entries += 1
    return { name, sizeBytes, sha256: hash.digest('hex') }
  }

  /** Stores what is in memory. The names of its objects are new, so nothing that an earlier state names changes. */
  async function suspend(): Promise<ArchiveState> {
    const tail = waitingBytes === 0 ? null : `${from.key}.${uuid()}.tail`
    const records = `${from.key}.${uuid()}.directory`
    await Promise.all([
      tail === null ? undefined : objects.putObject(tail, Buffer.concat(waiting)),
      objects.putObject(records, Buffer.concat(directory)),
    ])
    return { ...from, parts, size, entries, tail, directory: [...from.directory, records] }
  }

  /** Writes the central directory and completes the upload; answers the size of the archive. */
  async function finish(): Promise<number> {
    const offset = size
    for (const key of from.directory) await write(await objects.fetchObject(key))
    for (const record of directory) await write(record)
    await write(endOfDirectory({ entries, offset, sizeBytes: size - offset }))
    if (waitingBytes > 0) await putPart()
    await files.complete(from.key, from.uploadId, parts)
    return size
  }

  return { add, suspend, finish }
}

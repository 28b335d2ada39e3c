import { createInflateRaw } from 'node:zlib'
import { maxWorkbookBytes, maxWorkbookEntries } from '../../../../kernel/limits/imports.ts'
import { brokenWorkbook, noWorkbook } from './read-xml.ts'

const directoryEnd = 0x0605_4b50
const directoryEntry = 0x0201_4b50
const localEntry = 0x0403_4b50
const deflate = 8
const maxCommentBytes = 0xffff
/** Of the container of older workbooks, and of those with a password. */
const compoundFile = 0xe011_cfd0

/** A file in an archive. */
interface Entry {
  readonly method: number
  readonly packed: Buffer
  /** Unpacked, as the archive declares it. */
  readonly size: number
}

/** The XML files of a workbook, by their paths. */
export interface Archive {
  has(path: string): boolean
  /** The text of a file in pieces, unpacked as they are read. Throws Invalid. */
  read(path: string): AsyncGenerator<string>
}

/**
 * Opens a workbook. Nothing is unpacked until it is read: of the sizes that the archive declares their sum may not pass the
 * limit, and no file may be larger than declared. Throws Invalid.
 */
export function openArchive(bytes: Buffer): Archive {
  const entries = new Map(entriesOf(bytes))
  const unpackedBytes = [...entries.values()].reduce((sum, { size }) => sum + size, 0)
  if (unpackedBytes > maxWorkbookBytes)
    throw noWorkbook(
      `The workbook has more than ${maxWorkbookBytes / 1024 / 1024} MB unpacked. Divide it, or save the sheet as CSV.`,
    )
  return {
    has: (path) => entries.has(path),
    async *read(path) {
      const entry = entries.get(path)
      if (!entry) throw brokenWorkbook(`it lacks ${path}`)
      let decoder: ReturnType<typeof decoderOf> | undefined
      for await (const piece of unpack(entry)) {
        decoder ??= decoderOf(piece)
        yield decoder.decode(piece, { stream: true })
      }
    },
  }
}

async function* unpack({ method, packed, size }: Entry): AsyncGenerator<Buffer> {
  let read = 0
  try {
    for await (const piece of method === deflate ? createInflateRaw().end(packed) : [packed]) {
      read += (piece as Buffer).length
      if (read > size) break
      yield piece as Buffer
    }
  } catch (error) {
    throw isOfZlib(error) ? brokenWorkbook('its archive is damaged') : error
  }
  if (read !== size) throw brokenWorkbook('its archive is damaged')
}

const isOfZlib = (error: unknown): boolean => String((error as { code?: unknown }).code).startsWith('Z_')

/** XML is UTF-8, or UTF-16 with its mark. */
const decoderOf = ([first, second]: Buffer) =>
  new TextDecoder(
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8',
  )

/** The XML files in the central directory of an archive. */
function* entriesOf(bytes: Buffer): Generator<readonly [string, Entry]> {
  const damaged = () => brokenWorkbook('its archive is damaged')
  if (bytes.length > 4 && bytes.readUInt32LE(0) === compoundFile)
    throw noWorkbook(
      'The file is a workbook with a password, or of an older format (.xls). Save it as .xlsx without one.',
    )
  const end = bytes.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]))
  if (end < 0 || end < bytes.length - maxCommentBytes - 22 || end + 22 > bytes.length) throw damaged()
  if (bytes.readUInt32LE(end) !== directoryEnd) throw damaged()
  const count = bytes.readUInt16LE(end + 10)
  if (count > maxWorkbookEntries) throw noWorkbook(`The workbook holds more than ${maxWorkbookEntries} files.`)
  let at = bytes.readUInt32LE(end + 16)
  for (let index = 0; index < count; index += 1) {
    if (at + 46 > bytes.length || bytes.readUInt32LE(at) !== directoryEntry) throw damaged()
    const [flags, method] = [bytes.readUInt16LE(at + 8), bytes.readUInt16LE(at + 10)]
    const [packedSize, size] = [bytes.readUInt32LE(at + 20), bytes.readUInt32LE(at + 24)]
    const nameLength = bytes.readUInt16LE(at + 28)
    const local = bytes.readUInt32LE(at + 42)
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength)
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
    if (!/\.(xml|rels)$/.test(name)) continue
    if (flags & 1) throw noWorkbook('The workbook has a password: save it without one.')
    if (method !== 0 && method !== deflate) throw damaged()
    if (local + 30 > bytes.length || bytes.readUInt32LE(local) !== localEntry) throw damaged()
    const from = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28)
    if (from + packedSize > bytes.length) throw damaged()
    yield [name.replaceAll('\\', '/'), { method, size, packed: bytes.subarray(from, from + packedSize) }]
  }
}

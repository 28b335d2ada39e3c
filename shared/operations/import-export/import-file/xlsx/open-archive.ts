import { crc32, inflateRawSync } from 'node:zlib'
import { Invalid } from '../../../kernel/failures/faults.ts'
import { maxWorkbookBytes, maxWorkbookEntries } from '../../../kernel/limits/imports.ts'

const directoryEnd = 0x0605_4b50
const directoryEntry = 0x0201_4b50
const localEntry = 0x0403_4b50
const deflate = 8
const maxCommentBytes = 0xffff

const broken = (path: string): Invalid =>
  new Invalid({ [path]: ['The file is no workbook in XLSX: its archive is broken.'] })
const tooLarge = (path: string): Invalid =>
  new Invalid({
    [path]: [
      `The workbook has more than ${maxWorkbookBytes / 1024 / 1024} MB unpacked. Divide it, or save the sheet as CSV.`,
    ],
  })

/**
 * Unpacks the XML files of a workbook into an archive without compression, so that what reads it unpacks nothing: of the
 * sizes that the archive declares, and of those that it really has, none may pass the limit. Throws Invalid.
 */
export function unpackWorkbook(bytes: Buffer, path: string): ArrayBuffer {
  const files = [...entriesOf(bytes, path)]
  if (files.reduce((sum, { size }) => sum + size, 0) > maxWorkbookBytes) throw tooLarge(path)
  let left = maxWorkbookBytes
  const unpacked = files.map(({ name, method, packed, size }) => {
    const content = unpack(method, packed, left, path)
    if (content.length !== size) throw broken(path)
    left -= content.length
    return { name, content }
  })
  return storedArchive(unpacked)
}

function unpack(method: number, packed: Buffer, most: number, path: string): Buffer {
  if (method === 0) {
    if (packed.length > most) throw tooLarge(path)
    return packed
  }
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, most) })
  } catch (error) {
    throw (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE' ? tooLarge(path) : broken(path)
  }
}

/** The XML files in the central directory of an archive. */
function* entriesOf(bytes: Buffer, path: string) {
  const end = bytes.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]))
  if (end < 0 || end < bytes.length - maxCommentBytes - 22 || end + 22 > bytes.length) throw broken(path)
  if (bytes.readUInt32LE(end) !== directoryEnd) throw broken(path)
  const count = bytes.readUInt16LE(end + 10)
  if (count > maxWorkbookEntries)
    throw new Invalid({ [path]: [`The workbook holds more than ${maxWorkbookEntries} files.`] })
  let at = bytes.readUInt32LE(end + 16)
  for (let index = 0; index < count; index += 1) {
    if (at + 46 > bytes.length || bytes.readUInt32LE(at) !== directoryEntry) throw broken(path)
    const [method, packedSize, size] = [
      bytes.readUInt16LE(at + 10),
      bytes.readUInt32LE(at + 20),
      bytes.readUInt32LE(at + 24),
    ]
    const [nameLength, extra, comment] = [28, 30, 32].map((offset) => bytes.readUInt16LE(at + offset)) as [
      number,
      number,
      number,
    ]
    const local = bytes.readUInt32LE(at + 42)
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength)
    at += 46 + nameLength + extra + comment
    if (!/\.(xml|rels)$/.test(name)) continue
    if (bytes.readUInt16LE(at - (46 + nameLength + extra + comment) + 8) & 1)
      throw new Invalid({ [path]: ['The workbook has a password: save it without one.'] })
    if (method !== 0 && method !== deflate) throw broken(path)
    if (local + 30 > bytes.length || bytes.readUInt32LE(local) !== localEntry) throw broken(path)
    const from = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28)
    if (from + packedSize > bytes.length) throw broken(path)
    yield { name, method, size, packed: bytes.subarray(from, from + packedSize) }
  }
}

/** An archive whose files are not compressed (PKWARE APPNOTE 6.3.10, method 0). */
function storedArchive(files: readonly { readonly name: string; readonly content: Buffer }[]): ArrayBuffer {
  const pieces: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, content } of files) {
    const text = Buffer.from(name)
    const header = Buffer.alloc(30)
    header.writeUInt32LE(localEntry, 0)
    header.writeUInt16LE(20, 4)
    header.writeUInt16LE(1 << 11, 6)
    header.writeUInt32LE(crc32(content), 14)
    header.writeUInt32LE(content.length, 18)
    header.writeUInt32LE(content.length, 22)
    header.writeUInt16LE(text.length, 26)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(directoryEntry, 0)
    entry.writeUInt16LE(20, 4)
    header.copy(entry, 6, 4, 30)
    entry.writeUInt32LE(offset, 42)
    pieces.push(header, text, content)
    directory.push(entry, text)
    offset += header.length + text.length + content.length
  }
  const listed = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(directoryEnd, 0)
  end.writeUInt16LE(files.length, 8)
  end.writeUInt16LE(files.length, 10)
  end.writeUInt32LE(listed.length, 12)
  end.writeUInt32LE(offset, 16)
  const whole = Buffer.concat([...pieces, listed, end])
  return whole.buffer.slice(whole.byteOffset, whole.byteOffset + whole.length) as ArrayBuffer
}

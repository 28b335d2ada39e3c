/*
 * The records of a ZIP file (PKWARE APPNOTE 6.3.10). Entries are compressed with deflate and written as streams: their
 * sizes follow in a data descriptor (4.3.9). The central directory is made of the entries' records alone, so an archive
 * can be continued by another process.
 */

/** A written entry. Sizes are below 4 GB. */
export interface ZipEntry {
  readonly name: string
  readonly crc: number
  readonly sizeBytes: number
  readonly packedBytes: number
  /** Where its local header begins. */
  readonly offset: number
}

const versionNeeded = 45
/** A data descriptor follows; the name is UTF-8. */
const flags = (1 << 3) | (1 << 11)
const deflate = 8
const maxUint32 = 0xffff_ffff
const maxUint16 = 0xffff
/** A regular file, readable by everybody (`0100644`), made on Unix. */
const madeBy = (3 << 8) | versionNeeded
const attributes = (0o100644 << 16) >>> 0

/** What precedes the content of an entry. */
export function localHeader(name: string, modified: Date): Buffer {
  const text = Buffer.from(name)
  const header = Buffer.alloc(30)
  header.writeUInt32LE(0x0403_4b50, 0)
  header.writeUInt16LE(versionNeeded, 4)
  header.writeUInt16LE(flags, 6)
  header.writeUInt16LE(deflate, 8)
  header.writeUInt32LE(dosTime(modified), 10)
  header.writeUInt16LE(text.length, 26)
  return Buffer.concat([header, text])
}

/** What follows the content of an entry. */
export function dataDescriptor({ crc, sizeBytes, packedBytes }: Omit<ZipEntry, 'name' | 'offset'>): Buffer {
  const descriptor = Buffer.alloc(16)
  descriptor.writeUInt32LE(0x0807_4b50, 0)
  descriptor.writeUInt32LE(crc, 4)
  descriptor.writeUInt32LE(packedBytes, 8)
  descriptor.writeUInt32LE(sizeBytes, 12)
  return descriptor
}

/** The record of an entry in the central directory. */
export function directoryRecord(entry: ZipEntry, modified: Date): Buffer {
  const name = Buffer.from(entry.name)
  const isFar = entry.offset >= maxUint32
  const extra = Buffer.alloc(isFar ? 12 : 0)
  if (isFar) {
    extra.writeUInt16LE(0x0001, 0)
    extra.writeUInt16LE(8, 2)
    extra.writeBigUInt64LE(BigInt(entry.offset), 4)
  }
  const record = Buffer.alloc(46)
  record.writeUInt32LE(0x0201_4b50, 0)
  record.writeUInt16LE(madeBy, 4)
  record.writeUInt16LE(versionNeeded, 6)
  record.writeUInt16LE(flags, 8)
  record.writeUInt16LE(deflate, 10)
  record.writeUInt32LE(dosTime(modified), 12)
  record.writeUInt32LE(entry.crc, 16)
  record.writeUInt32LE(entry.packedBytes, 20)
  record.writeUInt32LE(entry.sizeBytes, 24)
  record.writeUInt16LE(name.length, 28)
  record.writeUInt16LE(extra.length, 30)
  record.writeUInt32LE(attributes, 38)
  record.writeUInt32LE(isFar ? maxUint32 : entry.offset, 42)
  return Buffer.concat([record, name, extra])
}

/** What ends the file after the central directory: with the records of ZIP64, which any size needs. */
export function endOfDirectory(directory: {
  readonly entries: number
  readonly offset: number
  readonly sizeBytes: number
}): Buffer {
  const { entries, offset, sizeBytes } = directory
  const end64 = Buffer.alloc(56)
  end64.writeUInt32LE(0x0606_4b50, 0)
  end64.writeBigUInt64LE(44n, 4)
  end64.writeUInt16LE(madeBy, 12)
  end64.writeUInt16LE(versionNeeded, 14)
  end64.writeBigUInt64LE(BigInt(entries), 24)
  end64.writeBigUInt64LE(BigInt(entries), 32)
  end64.writeBigUInt64LE(BigInt(sizeBytes), 40)
  end64.writeBigUInt64LE(BigInt(offset), 48)
  const locator = Buffer.alloc(20)
  locator.writeUInt32LE(0x0706_4b50, 0)
  locator.writeBigUInt64LE(BigInt(offset + sizeBytes), 8)
  locator.writeUInt32LE(1, 16)
  return Buffer.concat([end64, locator, endOfSmallDirectory(directory)])
}

/** The same without the records of ZIP64, which spreadsheets need not know: for files below 4 GB. */
export function endOfSmallDirectory(directory: Parameters<typeof endOfDirectory>[0]): Buffer {
  const { entries, offset, sizeBytes } = directory
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x0605_4b50, 0)
  end.writeUInt16LE(Math.min(entries, maxUint16), 8)
  end.writeUInt16LE(Math.min(entries, maxUint16), 10)
  end.writeUInt32LE(Math.min(sizeBytes, maxUint32), 12)
  end.writeUInt32LE(Math.min(offset, maxUint32), 16)
  return end
}

/** Time and date as MS-DOS writes them, in UTC: two seconds, minutes, hours; days, months, years since 1980. */
function dosTime(at: Date): number {
  const time = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1)
  const date = ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate()
  return ((date << 16) | time) >>> 0
}

import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inflateRawSync } from 'node:zlib'

/** The entries of a ZIP file by name, read from its central directory alone. Throws when a size or header is wrong. */
export function readZip(zip: Buffer): Map<string, Buffer> {
  const end = zip.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'))
  const far = zip.lastIndexOf(Buffer.from('PK\x06\x06', 'latin1'))
  const [count, start] =
    far < 0
      ? [zip.readUInt16LE(end + 10), zip.readUInt32LE(end + 16)]
      : [Number(zip.readBigUInt64LE(far + 32)), Number(zip.readBigUInt64LE(far + 48))]
  if (zip.readUInt16LE(end + 10) !== Math.min(count, 0xffff)) throw new Error('the two counts of entries differ')
  const entries = new Map<string, Buffer>()
  for (let at = start, left = count; left > 0; left -= 1) {
    if (zip.readUInt32LE(at) !== 0x0201_4b50) throw new Error(`no entry of the directory at ${at}`)
    const [packed, size] = [zip.readUInt32LE(at + 20), zip.readUInt32LE(at + 24)]
    const [nameLength, extraLength] = [zip.readUInt16LE(at + 28), zip.readUInt16LE(at + 30)]
    const name = zip.subarray(at + 46, at + 46 + nameLength).toString()
    const offset = zip.readUInt32LE(at + 42)
    if (zip.readUInt32LE(offset) !== 0x0403_4b50) throw new Error(`no entry at ${offset}`)
    const content = offset + 30 + zip.readUInt16LE(offset + 26) + zip.readUInt16LE(offset + 28)
    const bytes = inflateRawSync(zip.subarray(content, content + packed))
    if (bytes.length !== size || entries.has(name)) throw new Error(`the entry ${name} is wrong`)
    entries.set(name, bytes)
    at += 46 + nameLength + extraLength
  }
  return entries
}

/** The entries of a ZIP file by path, as `unzip` extracts them; undefined on a machine without it. */
export function extractWithUnzip(zip: Buffer): Map<string, Buffer> | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'unzip-'))
  try {
    writeFileSync(join(folder, 'archive.zip'), zip)
    execFileSync('unzip', ['-q', 'archive.zip', '-d', 'out'], { cwd: folder })
    const files = readdirSync(join(folder, 'out'), { recursive: true, withFileTypes: true }).filter((one) =>
      one.isFile(),
    )
    return new Map(
      files.map(({ parentPath, name }) => [
        join(parentPath, name).slice(join(folder, 'out').length + 1),
        readFileSync(join(parentPath, name)),
      ]),
    )
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  } finally {
    rmSync(folder, { recursive: true })
  }
}

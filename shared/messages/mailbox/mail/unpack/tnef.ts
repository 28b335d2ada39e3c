import { isUtf8 } from 'node:buffer'
import { cleanLine } from '../clean-text.ts'

/*
 * Reads what Outlook packs into winmail.dat (MS-OXTNEF): the text, the HTML or RTF, and the files of a mail. Packages for it
 * copy the whole file for each attribute of it.
 */

/** A file that was packed in another. */
export interface PackedFile {
  readonly filename: string | undefined
  readonly contentType: string
  readonly contentId: string | undefined
  readonly bytes: Buffer
}

/** What a packed mail says. `isWhole`: nothing of it was left out. */
export interface Tnef {
  readonly text: string | undefined
  readonly html: string | undefined
  /** Compressed (MS-OXRTFCP). */
  readonly rtf: Buffer | undefined
  readonly files: readonly PackedFile[]
  readonly isWhole: boolean
}

const signature = 0x22_3e_9f_78
/** A mail packs at most so many attributes, properties, files, and mails in mails. */
const maxAttributes = 20_000
const maxPackedFiles = 200
const maxPackedDepth = 3

const attributes = {
  body: 0x80_0c,
  fileData: 0x80_0f,
  fileTitle: 0x80_10,
  fileBegins: 0x90_02,
  mailProperties: 0x90_03,
  fileProperties: 0x90_05,
  codePage: 0x90_07,
} as const

const properties = {
  body: 0x10_00,
  rtf: 0x10_09,
  html: 0x10_13,
  codePage: 0x3f_de,
  fileData: 0x37_01,
  displayName: 0x30_01,
  fileName: 0x37_04,
  longFileName: 0x37_07,
  contentType: 0x37_0e,
  contentId: 0x37_12,
} as const

interface Property {
  readonly type: number
  readonly bytes: Buffer
}
type Properties = ReadonlyMap<number, Property>
interface OpenFile {
  title?: Buffer
  data?: Buffer
  properties?: Properties
}

/** Undefined for what is no TNEF, or broken at its beginning. */
export function readTnef(bytes: Buffer, depth = 0): Tnef | undefined {
  if (bytes.length < 6 || bytes.readUInt32LE(0) !== signature) return undefined
  let codePage: number | undefined
  let body: Buffer | undefined
  let mail: Properties = new Map()
  const files: OpenFile[] = []
  let at = 6
  let isWhole = true
  for (let count = 0; at + 9 <= bytes.length; count += 1) {
    const length = bytes.readUInt32LE(at + 5)
    const data = bytes.subarray(at + 9, at + 9 + length)
    if (data.length < length || count >= maxAttributes || files.length > maxPackedFiles) {
      isWhole = false
      break
    }
    const id = bytes.readUInt16LE(at + 1)
    const file = files.at(-1)
    if (id === attributes.codePage && data.length >= 4) codePage = data.readUInt32LE(0)
    else if (id === attributes.body) body = data
    else if (id === attributes.mailProperties) mail = readProperties(data)
    else if (id === attributes.fileBegins) files.push({})
    else if (id === attributes.fileTitle) fileOf(files, file, 'title').title = data
    else if (id === attributes.fileData) fileOf(files, file, 'data').data = data
    else if (id === attributes.fileProperties && file) file.properties = readProperties(data)
    // A checksum follows.
    at += 9 + length + 2
  }
  const html = mail.get(properties.html)
  const page = mail.get(properties.codePage)?.bytes.readUInt32LE(0) ?? codePage
  const text = textOf(mail.get(properties.body), page) ?? (body && decode(body, page))
  const packed = files.map((file) => describe(file, page, depth))
  return {
    text,
    html: textOf(html, page),
    rtf: mail.get(properties.rtf)?.bytes,
    files: packed.flatMap((one) => one.files),
    isWhole: isWhole && packed.every((one) => one.isWhole),
  }
}

/** Some programs leave out what begins a file. */
function fileOf(files: OpenFile[], last: OpenFile | undefined, member: 'title' | 'data'): OpenFile {
  if (last && last[member] === undefined) return last
  const file: OpenFile = {}
  files.push(file)
  return file
}

/** A file, or the files of a mail that is packed as one. */
function describe(
  { title, data, properties: found = new Map<number, Property>() }: OpenFile,
  page: number | undefined,
  depth: number,
): { readonly files: readonly PackedFile[]; readonly isWhole: boolean } {
  const named = (id: number): string | undefined => textOf(found.get(id), page)
  const name =
    named(properties.longFileName) ??
    named(properties.fileName) ??
    (title && decode(title, page)) ??
    named(properties.displayName)
  const object = found.get(properties.fileData)
  const bytes = data?.length ? data : (object?.bytes ?? Buffer.alloc(0))
  // An object begins with the kind that it is of.
  const inner = object && depth < maxPackedDepth ? readTnef(object.bytes.subarray(16), depth + 1) : undefined
  if (inner) {
    const text = inner.text ?? inner.html
    const own =
      text === undefined ? [] : [file(`${cleanLine(name ?? 'mail', 100)}.txt`, 'text/plain', Buffer.from(text))]
    return { files: [...own, ...inner.files], isWhole: inner.isWhole && inner.rtf === undefined }
  }
  if (bytes.length === 0) return { files: [], isWhole: name === undefined }
  return { files: [file(name, named(properties.contentType) ?? '', bytes, named(properties.contentId))], isWhole: true }
}

const file = (name: string | undefined, contentType: string, bytes: Buffer, contentId?: string): PackedFile => ({
  filename: name,
  contentType: contentType === '' ? 'application/octet-stream' : contentType,
  contentId,
  bytes,
})

/** How long values are that have one length, by their type. */
const lengths: ReadonlyMap<number, number> = new Map([
  [0x02, 4],
  [0x03, 4],
  [0x04, 4],
  [0x05, 8],
  [0x06, 8],
  [0x07, 8],
  [0x0a, 4],
  [0x0b, 4],
  [0x14, 8],
  [0x40, 8],
  [0x48, 16],
])
const manyValues = 0x10_00
const firstNamed = 0x80_00

/** The properties of a mail or a file; of several values the first. What follows something broken is left out. */
function readProperties(data: Buffer): Properties {
  const found = new Map<number, Property>()
  try {
    let at = 4
    for (let left = Math.min(data.readUInt32LE(0), maxAttributes); left > 0; left -= 1) {
      const [type, id] = [data.readUInt16LE(at), data.readUInt16LE(at + 2)]
      at += 4
      if (id >= firstNamed) at = afterName(data, at)
      const kind = type & ~manyValues
      const fixed = lengths.get(kind)
      let values = 1
      if (fixed === undefined || kind !== type) {
        values = data.readUInt32LE(at)
        at += 4
      }
      for (let value = 0; value < values; value += 1) {
        const length = fixed ?? data.readUInt32LE(at)
        if (fixed === undefined) at += 4
        if (at + length > data.length) return found
        if (value === 0) found.set(id, { type: kind, bytes: data.subarray(at, at + length) })
        at += padded(length)
      }
    }
  } catch (error) {
    // Beyond the end of what is there.
    if (!(error instanceof RangeError)) throw error
  }
  return found
}

function afterName(data: Buffer, at: number): number {
  const isNumber = data.readUInt32LE(at + 16) === 0
  return isNumber ? at + 24 : at + 24 + padded(data.readUInt32LE(at + 20))
}

const padded = (length: number): number => Math.ceil(length / 4) * 4
const unicode = 0x1f

function textOf(property: Property | undefined, page: number | undefined): string | undefined {
  if (!property) return undefined
  return property.type === unicode ? withoutEnd(property.bytes.toString('utf16le')) : decode(property.bytes, page)
}

const withoutEnd = (text: string): string => text.replace(/\0[^]*$/, '')

/** The names of code pages of Windows that are not `windows-` and their number. */
const charsets: Readonly<Record<number, string>> = {
  866: 'ibm866',
  932: 'shift_jis',
  936: 'gbk',
  949: 'euc-kr',
  950: 'big5',
  20866: 'koi8-r',
  28591: 'iso-8859-1',
  28592: 'iso-8859-2',
  50220: 'iso-2022-jp',
  51932: 'euc-jp',
  54936: 'gb18030',
  65001: 'utf-8',
}

/** A text in a code page of Windows. */
export function decode(bytes: Buffer, page: number | undefined): string {
  const name = page === undefined ? 'windows-1252' : (charsets[page] ?? `windows-${page}`)
  const charset = isUtf8(bytes) ? 'utf-8' : name
  return withoutEnd(decoderOf(charset).decode(bytes))
}

function decoderOf(charset: string): InstanceType<typeof TextDecoder> {
  try {
    return new TextDecoder(charset)
  } catch {
    // Code pages of old systems have the letters of English in common with this one.
    return new TextDecoder('windows-1252')
  }
}

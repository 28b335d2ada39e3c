import { own } from '../../kernel/collections/own-members.ts'

type Matches = (head: Buffer) => boolean

/** Whether the signature, as text or bytes, is at this offset. */
const bytesAt =
  (offset: number, ...signatures: (string | Buffer)[]): Matches =>
  (head) =>
    signatures.some((signature) => {
      const bytes = typeof signature === 'string' ? Buffer.from(signature, 'latin1') : signature
      return head.subarray(offset, offset + bytes.length).equals(bytes)
    })
const hex = (digits: string): Buffer => Buffer.from(digits, 'hex')
const both =
  (one: Matches, other: Matches): Matches =>
  (head) =>
    one(head) && other(head)
/** ISO base media: a box `ftyp` with one of these brands. */
const brand = (...brands: string[]): Matches =>
  both(bytesAt(4, 'ftyp'), (head) => brands.some((name) => head.subarray(8, 64).includes(name, 0, 'latin1')))

const zip = bytesAt(0, hex('504b0304'), hex('504b0506'))
const ole = bytesAt(0, hex('d0cf11e0a1b11ae1'))
/** No control characters except line breaks, tabs and form feeds; with a byte order mark, UTF-16. */
const text: Matches = (head) =>
  bytesAt(0, hex('fffe'), hex('feff'))(head) ||
  !head.some((byte) => byte < 9 || (byte > 13 && byte < 32 && byte !== 27))

const images: Readonly<Record<string, Matches>> = {
  'image/png': bytesAt(0, hex('89504e470d0a1a0a')),
  'image/jpeg': bytesAt(0, hex('ffd8ff')),
  'image/gif': bytesAt(0, 'GIF87a', 'GIF89a'),
  'image/webp': both(bytesAt(0, 'RIFF'), bytesAt(8, 'WEBP')),
  'image/avif': brand('avif', 'avis'),
  'image/heic': brand('heic', 'heix', 'hevc', 'mif1'),
  'image/heif': brand('heic', 'heix', 'mif1', 'msf1'),
  'image/bmp': bytesAt(0, 'BM'),
  'image/tiff': bytesAt(0, hex('49492a00'), hex('4d4d002a')),
  'image/x-icon': bytesAt(0, hex('00000100')),
  'image/vnd.microsoft.icon': bytesAt(0, hex('00000100')),
}

const others: Readonly<Record<string, Matches>> = {
  'application/pdf': (head) => head.includes('%PDF-', 0, 'latin1'),
  'application/zip': zip,
  'application/x-zip-compressed': zip,
  'application/epub+zip': zip,
  'application/gzip': bytesAt(0, hex('1f8b')),
  'application/x-gzip': bytesAt(0, hex('1f8b')),
  'application/x-7z-compressed': bytesAt(0, hex('377abcaf271c')),
  'application/vnd.rar': bytesAt(0, 'Rar!'),
  'application/x-rar-compressed': bytesAt(0, 'Rar!'),
  'application/msword': ole,
  'application/vnd.ms-excel': ole,
  'application/vnd.ms-powerpoint': ole,
  'application/vnd.ms-outlook': ole,
  'application/rtf': bytesAt(0, '{\\rtf'),
  'application/json': text,
  'application/xml': text,
  'application/javascript': text,
  'image/svg+xml': text,
  'audio/mpeg': (head) => bytesAt(0, 'ID3')(head) || (head[0] === 0xff && ((head[1] ?? 0) & 0xe0) === 0xe0),
  'audio/wav': both(bytesAt(0, 'RIFF'), bytesAt(8, 'WAVE')),
  'audio/ogg': bytesAt(0, 'OggS'),
  'audio/mp4': bytesAt(4, 'ftyp'),
  'video/mp4': bytesAt(4, 'ftyp'),
  'video/quicktime': bytesAt(4, 'ftyp', 'moov', 'mdat', 'wide'),
  'video/webm': bytesAt(0, hex('1a45dfa3')),
  'video/x-matroska': bytesAt(0, hex('1a45dfa3')),
}

/** Today's office documents are zip archives. */
const zipFamilies = /^application\/vnd\.(openxmlformats-officedocument|oasis\.opendocument)\./

function signatureOf(type: string): Matches | undefined {
  if (type.startsWith('text/')) return text
  if (zipFamilies.test(type)) return zip
  return own(images, type) ?? own(others, type)
}

/** The types that an image field accepts: raster images. SVG is a document that may hold scripts. */
export const isImageType = (type: string): boolean => Object.hasOwn(images, type)

/**
 * Whether content that begins with `head` can be of a type. An image type without a known signature is refused; any
 * other is accepted, because browsers never open a download.
 */
export function fitsType(type: string, head: Uint8Array): boolean {
  const matches = signatureOf(type)
  if (!matches) return !type.startsWith('image/')
  return matches(Buffer.from(head.buffer, head.byteOffset, head.byteLength))
}

const documents =
  /^(text\/(html|xml|xsl|css|javascript|ecmascript)|image\/svg|application\/(xhtml|xml|javascript|ecmascript|x-javascript|pdf|x-shockwave-flash)|.*\+xml)/

/** The type that a download is sent with. Types that a browser might run become `application/octet-stream`. */
export const servedType = (type: string): string =>
  documents.test(type) && type !== 'application/pdf' ? 'application/octet-stream' : type

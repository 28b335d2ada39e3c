import { cutToBytes } from '../store/slots.ts'

/** Leaves room in S3's 1,024 bytes of key, and in what file systems take for a name. */
const maxNameBytes = 200
const maxExtension = /\.[\p{L}\p{N}]{1,12}$/u

/**
 * A file's name as a path can carry it: no slashes, no control or invisible direction characters, no dots at its start,
 * nothing that a file system refuses. Letters of any script stay. The extension outlives a cut.
 */
export function safeFileName(name: string): string {
  const clean = name
    .toWellFormed()
    .normalize('NFC')
    // Joiners belong to words and emoji; all other format characters only deceive the eye ("exe.gpj" read backwards).
    .replace(/(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\ufffd]/gu, '')
    .replace(/[/\\<>:"|?*]/g, '_')
    .replace(/\s+/gu, ' ')
    .trim()
    .replace(/^\.+/, '')
    .replace(/[. ]+$/, '')
  if (Buffer.byteLength(clean) <= maxNameBytes) return clean === '' ? 'file' : clean
  const extension = maxExtension.exec(clean)?.[0] ?? ''
  return (
    cutToBytes(clean.slice(0, clean.length - extension.length), maxNameBytes - Buffer.byteLength(extension)).trim() +
    extension
  )
}

/** RFC 6266: the name in ASCII for old clients, and as it is for all others. Always an attachment. */
export function attachment(name: string): string {
  const ascii =
    name
      .normalize('NFKD')
      .replace(/[^\x20-\x7e]/g, '')
      .replace(/["\\%;]/g, '_')
      .trim() || 'file'
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`
}

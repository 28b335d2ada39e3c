import { maxFileNameBytes } from '../../kernel/limits/files.ts'
import { cutToBytes } from '../../platform/store/slots.ts'

/** Fits into S3's 1,024 bytes of key and into the names of common file systems. */
const maxExtension = /\.[\p{L}\p{N}]{1,12}$/u

/**
 * A file name that is safe in a path: without slashes, control and direction characters, leading dots, and characters
 * that file systems refuse. Keeps letters of any script, and the extension of a long name.
 */
export function safeFileName(name: string): string {
  const clean = name
    .toWellFormed()
    .normalize('NFC')
    // Joiners are part of words and emoji; other format characters only disguise a name ("exe.gpj" shown backwards).
    .replace(/(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\ufffd]/gu, '')
    .replace(/[/\\<>:"|?*]/g, '_')
    .replace(/\s+/gu, ' ')
    .trim()
    .replace(/^\.+/, '')
    .replace(/[. ]+$/, '')
  if (Buffer.byteLength(clean) <= maxFileNameBytes) return clean === '' ? 'file' : clean
  const extension = maxExtension.exec(clean)?.[0] ?? ''
  return (
    cutToBytes(
      clean.slice(0, clean.length - extension.length),
      maxFileNameBytes - Buffer.byteLength(extension),
    ).trim() + extension
  )
}

/** The `Content-Disposition` of a download (RFC 6266), with an ASCII name for old clients. Always an attachment. */
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

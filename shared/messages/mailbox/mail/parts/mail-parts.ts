import { extname } from 'node:path/posix'
import { own } from '../../../../kernel/collections/own-members.ts'
import { maxMailFileNameCharacters } from '../../../../kernel/limits/incoming.ts'
import { cleanLine } from '../clean-text.ts'
import type { ParsedParts } from './parse-parts.ts'
import type { MailPart } from './parsed-mail.ts'

const maxExtensionCharacters = 12
const octetStream = 'application/octet-stream'
const typePattern = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,62}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,62}$/

/** The extensions of files that programs send without a name. */
const extensions: Readonly<Record<string, string>> = {
  'text/calendar': 'ics',
  'text/vcard': 'vcf',
  'text/plain': 'txt',
  'text/html': 'html',
  'text/csv': 'csv',
  'text/rfc822-headers': 'txt',
  'message/rfc822': 'eml',
  'message/delivery-status': 'txt',
  'message/disposition-notification': 'txt',
  'application/pdf': 'pdf',
  'application/ms-tnef': 'dat',
  'application/pkcs7-mime': 'p7m',
  'application/pkcs7-signature': 'p7s',
  'application/pgp-signature': 'asc',
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/gif': 'gif',
}

/** The files of a mail, with names and types that can be trusted as far as their form goes. */
export const partsOf = ({ files }: Pick<ParsedParts, 'files'>): MailPart[] =>
  files.map(({ filename, contentType, contentId, bytes }, index) => {
    const type = contentType.toLowerCase().trim()
    const knownType = typePattern.test(type) ? type : octetStream
    return {
      name: baseName(filename ?? '') || `attachment-${index + 1}.${own(extensions, knownType) ?? 'bin'}`,
      contentType: knownType,
      bytes,
      contentId: cleanLine((contentId ?? '').replaceAll(/[<>]/g, ''), 250) || null,
    }
  })

/** The last step of a path of any system; a long name keeps its extension. */
function baseName(path: string): string {
  const name = cleanLine(path.slice(-4000), 4000)
    .split(/[/\\]/)
    .at(-1)
    ?.replace(/^[\s.]+|[\s.]+$/g, '') as string
  if (name.length <= maxMailFileNameCharacters) return name
  const extension = extname(name).slice(0, maxExtensionCharacters + 1)
  return `${name.slice(0, maxMailFileNameCharacters - extension.length)}${extension}`.toWellFormed()
}

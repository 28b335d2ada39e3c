import { maxMailFiles } from '../../../../kernel/limits/incoming.ts'
import { cleanLine } from '../clean-text.ts'
import { readHead } from '../mail-head.ts'
import { type ParsedFile, type ParsedParts, parseParts } from '../parts/parse-parts.ts'
import type { Invitation } from '../parts/parsed-mail.ts'
import type { Written } from '../parts/written-parts.ts'
import { readInvitation } from './invitation.ts'
import { bodyOfRtf } from './rtf-body.ts'
import { signedContent } from './signed-content.ts'
import { readTnef } from './tnef.ts'

/** A mail whose parts were packed in others. */
export interface UnpackedParts extends ParsedParts {
  readonly invitation: Invitation | undefined
  /** Signed, which nobody has verified, or encrypted, so that it cannot be read here. */
  readonly protection: 'signed' | 'encrypted' | undefined
  /** The mails that are attached to it, the outermost first. */
  readonly attached: readonly AttachedMail[]
}

/** A mail that is attached to another. */
export interface AttachedMail {
  readonly bytes: Buffer
  readonly parts: UnpackedParts
}

/** Mails in mails are unpacked so deep, and so many of them. */
const maxUnpackedDepth = 3
const maxUnpackedMails = 10

interface Unpacking {
  readonly timeZone: string
  readonly deadlineMs: number
  /** How many mails were unpacked. */
  mails: number
}

/**
 * Takes out of the files of a mail what Outlook packed (winmail.dat), what was signed in one piece, meetings and attached mails.
 * What cannot be read stays as it is, and is among the problems.
 */
export async function unpackParts(parts: ParsedParts, timeZone: string, deadlineMs: number): Promise<UnpackedParts> {
  return unpack(parts, { timeZone, deadlineMs, mails: 0 }, 0)
}

async function unpack(parts: ParsedParts, unpacking: Unpacking, depth: number): Promise<UnpackedParts> {
  let result: UnpackedParts = { ...parts, files: [], invitation: undefined, protection: undefined, attached: [] }
  for (const file of parts.files) result = await withFile(result, file, unpacking, depth)
  return result
}

async function withFile(
  so: UnpackedParts,
  file: ParsedFile,
  unpacking: Unpacking,
  depth: number,
): Promise<UnpackedParts> {
  const type = file.contentType.toLowerCase().trim()
  const name = (file.filename ?? '').toLowerCase()
  const kept = { ...so, files: [...so.files, file] }
  if (type === 'application/ms-tnef' || type === 'application/vnd.ms-tnef' || name === 'winmail.dat')
    return withTnef(so, file)
  if (/^application\/(?:x-)?pkcs7-mime$/.test(type) || name.endsWith('.p7m'))
    return withSigned(kept, file, unpacking, depth)
  if (/^application\/pgp-encrypted$/.test(type)) return { ...kept, protection: 'encrypted' }
  if (/^application\/(?:x-)?pkcs7-signature$/.test(type)) return { ...kept, protection: so.protection ?? 'signed' }
  if (type === 'text/calendar' || (type === 'application/ics' && so.invitation === undefined)) {
    const invitation = so.invitation ?? (await readInvitation(file.bytes, unpacking.timeZone))
    return { ...kept, invitation, files: [...so.files, { ...file, filename: file.filename ?? 'invite.ics' }] }
  }
  if (type === 'message/rfc822' || type === 'message/global') return withMail(kept, file, unpacking, depth)
  return kept
}

async function withTnef(so: UnpackedParts, file: ParsedFile): Promise<UnpackedParts> {
  const tnef = readTnef(file.bytes)
  const unread = (why: string): UnpackedParts => ({
    ...so,
    files: [...so.files, file],
    problems: [...so.problems, why],
  })
  if (!tnef) return unread('what Outlook packed into a file (TNEF) cannot be read')
  const ofRtf = tnef.rtf && (await bodyOfRtf(tnef.rtf))
  const body: Written | undefined =
    tnef.html !== undefined
      ? { kind: 'html', content: tnef.html }
      : tnef.text !== undefined && ofRtf?.kind !== 'html'
        ? { kind: 'text', content: tnef.text }
        : ofRtf
  // Mostly it repeats the text of the mail.
  const written: readonly Written[] = body
    ? so.written.length === 0
      ? [body]
      : [{ kind: 'alternatives', ways: [so.written, [body]] }]
    : so.written
  const html = so.html ?? (body?.kind === 'html' ? body.content : undefined)
  const files = [...so.files, ...tnef.files.slice(0, maxMailFiles)]
  const isRead = tnef.isWhole && (body !== undefined || !tnef.rtf)
  return isRead
    ? { ...so, written, html, files }
    : {
        ...unread('not all that Outlook packed into a file (TNEF) could be read'),
        written,
        html,
        files: [...files, file],
      }
}

async function withSigned(
  so: UnpackedParts,
  file: ParsedFile,
  unpacking: Unpacking,
  depth: number,
): Promise<UnpackedParts> {
  const content = await signedContent(file.bytes)
  if (content.kind === 'encrypted') return { ...so, protection: 'encrypted' }
  if (content.kind === 'other') return { ...so, problems: [...so.problems, 'a file of S/MIME cannot be read'] }
  const inner = await innerParts(content.mail, unpacking, depth)
  if (!inner)
    return { ...so, protection: 'signed', problems: [...so.problems, 'not all of what was signed could be read'] }
  return {
    ...so,
    written: [...so.written, ...inner.written],
    html: joinHtml(so.html, inner.html),
    files: [...so.files, ...inner.files],
    problems: [...so.problems, ...inner.problems],
    protection: inner.protection ?? 'signed',
    invitation: so.invitation ?? inner.invitation,
    attached: [...so.attached, ...inner.attached],
    isTextCut: so.isTextCut || inner.isTextCut,
    arePartsCut: so.arePartsCut || inner.arePartsCut,
  }
}

/** An attached mail stays a file, for its head; its text and its files are shown beside it. */
async function withMail(
  so: UnpackedParts,
  file: ParsedFile,
  unpacking: Unpacking,
  depth: number,
): Promise<UnpackedParts> {
  const inner = await innerParts(file.bytes, unpacking, depth)
  if (!inner) return so
  const [from] = inner.addresses('from')
  const who = from
    ? { name: cleanLine(from.name ?? '', 200) || null, email: from.address?.toLowerCase() ?? null }
    : null
  const heading = ['Attached mail:', cleanLine(inner.subject, 500), who && `(${who.name ?? who.email})`].filter(Boolean)
  return {
    ...so,
    written:
      inner.written.length === 0
        ? so.written
        : [...so.written, { kind: 'text', content: heading.join(' ') }, ...inner.written],
    files: [...so.files, ...inner.files],
    problems: [...so.problems, ...inner.problems],
    attached: [...so.attached, { bytes: file.bytes, parts: inner }, ...inner.attached],
    isTextCut: so.isTextCut || inner.isTextCut,
    arePartsCut: so.arePartsCut || inner.arePartsCut,
  }
}

/** Undefined beyond the bounds, and for what cannot be parsed. */
async function innerParts(mail: Buffer, unpacking: Unpacking, depth: number): Promise<UnpackedParts | undefined> {
  if (depth >= maxUnpackedDepth || unpacking.mails >= maxUnpackedMails) return undefined
  unpacking.mails += 1
  const head = readHead(mail)
  try {
    const parts = await parseParts(head, mail.subarray(head.bodyAt), unpacking.deadlineMs)
    return await unpack(parts, unpacking, depth + 1)
  } catch {
    // It stays the file that it is.
    return undefined
  }
}

const joinHtml = (html: string | undefined, more: string | undefined): string | undefined =>
  html === undefined ? more : more === undefined ? html : `${html}<br>\n${more}`

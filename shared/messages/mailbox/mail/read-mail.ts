import { maxMailSubjectCharacters, maxMailTextBytes } from '../../../kernel/limits/incoming.ts'
import { cleanAddresses } from './addresses.ts'
import { readBounce } from './bounce-report.ts'
import { cleanHtml, hasVisibleText } from './clean-html.ts'
import { cleanLine } from './clean-text.ts'
import { headerValues } from './header-values.ts'
import { allValues, firstValue, type MailHead, readHead } from './mail-head.ts'
import { mailMarks } from './mail-marks.ts'
import { messageIds } from './message-ids.ts'
import { partsOf } from './parts/mail-parts.ts'
import { oneText } from './parts/one-text.ts'
import { type ParsedParts, parseParts } from './parts/parse-parts.ts'
import type { ParsedMail, Truncated } from './parts/parsed-mail.ts'
import { sentDate } from './sent-date.ts'
import { invitationText } from './unpack/invitation.ts'
import { type UnpackedParts, unpackParts } from './unpack/unpack-parts.ts'

/** RFC 5322 §2.1.1. */
const deadlineMs = 20_000
/** Where a bounce has the headers of the mail that it returns. */
const maxReturnedBytes = 1024 * 1024

/**
 * Reads a mail. Never rejects: what cannot be parsed keeps the headers that could be read, and the reason. Takes less than
 * a minute and about 250 MB for the worst mail of 25 MB; an ordinary one takes milliseconds.
 */
export async function readMail(raw: Buffer, timeZone = 'UTC'): Promise<ParsedMail> {
  const lines = withLineFeeds(raw)
  const head = bodyWithoutHeaders(readHead(lines))
  const { parts: packed, problem } = await parse(head, lines.subarray(head.bodyAt))
  // A report returns another mail, which is not what it says.
  const isReport = /^multipart\/report\b/i.test(firstValue(head, 'content-type') ?? '')
  const parts = packed && (await unpackParts(isReport ? { ...packed, files: [] } : packed, timeZone, deadlineMs))
  const files = isReport && packed ? packed.files : (parts?.files ?? [])
  const said = parts ? await saidIn(parts) : { body: '', html: null, truncated: [] }
  const lost = [
    ...(head.hasOtherLines ? [head.lines.length === 0 ? 'it has no headers' : 'lines among its headers are none'] : []),
    ...(parts ? lostIn({ ...parts, files }, said) : []),
  ]
  const { headers, isCut } = headerValues(head, parts ? parts.decodeWords : (text) => text)
  const addresses = (name: Parameters<ParsedParts['addresses']>[0]) => cleanAddresses(parts?.addresses(name) ?? [])
  const from = addresses('from')[0] ?? addresses('sender')[0] ?? null
  const subject = cleanLine(parts?.subject ?? '', maxMailSubjectCharacters)
  const { auto, isQuiet } = mailMarks(head, from, subject)
  const truncated: Truncated[] = [...(isCut || head.isCut ? (['headers'] as const) : []), ...said.truncated]
  return {
    from,
    to: addresses('to'),
    cc: addresses('cc'),
    replyTo: addresses('reply-to'),
    subject: subject === '' ? null : subject,
    messageId: messageIds(firstValue(head, 'message-id'))[0] ?? null,
    inReplyTo: messageIds(firstValue(head, 'in-reply-to'))[0] ?? null,
    references: messageIds(allValues(head, 'references').join(' ')),
    date: sentDate(firstValue(head, 'date')),
    headers,
    body: said.body,
    html: said.html,
    attachments: partsOf({ files }),
    auto,
    isQuiet,
    bounce: auto === 'bounce' && parts ? bounceIn({ files }, said.body, subject, head, lines) : null,
    note: packed && parts?.attached.length ? (await oneText(packed.written, maxMailTextBytes)).text : said.body,
    attached: parts?.attached[0] ? await describeAttached(parts.attached[0]) : null,
    invitation: parts?.invitation ?? null,
    protection: parts?.protection ?? null,
    truncated,
    parseError: problem ?? (lost.length === 0 ? null : `Not all of the mail could be read: ${lost.join('; ')}.`),
  }
}

/** Some old programs end lines with a carriage return alone. */
const withLineFeeds = (raw: Buffer): Buffer =>
  raw.includes('\n') || !raw.includes('\r') ? raw : Buffer.from(raw.map((byte) => (byte === 0x0d ? 0x0a : byte)))

/** Of a text without headers all is body. */
const bodyWithoutHeaders = (head: MailHead): MailHead =>
  head.lines.length === 0 && head.hasOtherLines ? { ...head, bodyAt: 0 } : head

/** What of a parsed mail was left out. A mail that says nothing, though it has something to say, was not understood. */
function lostIn(
  { problems, hasContent, html = '', files }: ParsedParts,
  { body, html: cleaned, truncated }: Pick<ParsedMail, 'body' | 'html' | 'truncated'>,
): readonly string[] {
  const isSilent = body === '' && !cleaned && files.length === 0 && truncated.length === 0
  return isSilent && hasContent && problems.length === 0 && (html === '' || hasVisibleText(html))
    ? ['nothing in it is a text, HTML or a file']
    : problems
}

/** The parts of the mail; when it cannot be parsed, those of its head alone, and the reason. */
async function parse(
  head: MailHead,
  body: Buffer,
): Promise<{ readonly parts: ParsedParts | undefined; readonly problem: string | null }> {
  try {
    return { parts: await parseParts(head, body, deadlineMs), problem: null }
  } catch (error) {
    const problem = `The mail could not be parsed: ${cleanLine((error as Error).message, 300)}.`
    const parts = await parseParts(head, Buffer.alloc(0), deadlineMs).catch(() => undefined)
    return { parts, problem }
  }
}

/** What a mail says to its reader: one text, made of its parts, and its HTML. */
async function saidIn(parts: UnpackedParts): Promise<Pick<ParsedMail, 'body' | 'html' | 'truncated'>> {
  const cleaned = parts.html === undefined ? undefined : await cleanHtml(parts.html)
  const { text, isCut } = await oneText(parts.written, maxMailTextBytes)
  return {
    body: text === '' ? otherwiseSaid(parts) : text,
    html: cleaned?.html ?? null,
    truncated: [
      ...(parts.isTextCut || isCut ? (['body'] as const) : []),
      ...(cleaned?.isCut ? (['html'] as const) : []),
      ...(parts.arePartsCut ? (['parts'] as const) : []),
    ],
  }
}

/** What is said of a mail without a text: what it invites to, or why there is none to read. */
const otherwiseSaid = ({ invitation, protection, files }: UnpackedParts): string => {
  if (invitation) return invitationText(invitation)
  return protection === 'encrypted' && files.length > 0
    ? 'This mail is encrypted: it cannot be read here. Ask its sender to send it without encryption.'
    : ''
}

async function describeAttached({ bytes, parts }: { readonly bytes: Buffer; readonly parts: UnpackedParts }) {
  const { body, html } = await saidIn(parts)
  return {
    from: cleanAddresses(parts.addresses('from'))[0] ?? null,
    replyTo: cleanAddresses(parts.addresses('reply-to')),
    subject: cleanLine(parts.subject, maxMailSubjectCharacters) || null,
    messageId: messageIds(firstValue(readHead(bytes), 'message-id'))[0] ?? null,
    body,
    html,
  }
}

function bounceIn({ files }: Pick<ParsedParts, 'files'>, text: string, subject: string, head: MailHead, lines: Buffer) {
  const texts = files.filter(({ contentType }) => /^(?:text|message)\//i.test(contentType))
  const textOf = ({ bytes }: { readonly bytes: Buffer }): string => bytes.toString('latin1', 0, maxReturnedBytes)
  const status = texts.find(({ contentType }) => /^message\/(?:global-)?delivery-status$/i.test(contentType))
  return readBounce({
    status: status && textOf(status),
    text,
    subject,
    failedRecipients: firstValue(head, 'x-failed-recipients'),
    returned: [lines.toString('latin1', head.bodyAt, head.bodyAt + maxReturnedBytes), ...texts.slice(0, 5).map(textOf)],
  })
}

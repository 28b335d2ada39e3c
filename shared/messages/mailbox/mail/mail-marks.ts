import type { MailAddress } from './addresses.ts'
import { isAbsenceSubject, isBounceSubject } from './machine-subjects.ts'
import { allValues, firstValue, type MailHead } from './mail-head.ts'

/** What a program sent by itself: a bounce of a mail, or an answer or a notice; null for what a person wrote. */
export type AutoKind = 'bounce' | 'reply' | null

/** How a mail is to be answered: by nobody, by people only, or also by the service itself. */
export interface MailMarks {
  /** None of them is ever answered. */
  readonly auto: AutoKind
  /** It came through a list, a group or a rule of somebody's mailbox, or asks for it: programs do not answer it. */
  readonly isQuiet: boolean
}

/** RFC 5321 §4.5.5 and the programs that send for others. */
const daemon = /^(?:mailer-daemon|mail-daemon|postmaster|mdaemon|mail\.daemon|bounces?)(?:[+=-][^@]*)?@/
/** The same as a name: a mail that comes back has an empty sender (RFC 5321 §6.1), which some programs show as `<>`. */
const daemonName = /^"?(?:mailer[ -]?daemon|mail delivery (?:sub-?)?system|postmaster|mdaemon)"?$/i
const mailerDaemon = /^mailer[ -]?daemon\b/i
const autoHeaders = [
  'x-autoreply',
  'x-autorespond',
  'x-autoresponder',
  'x-auto-reply',
  'x-autoreply-from',
  'x-mail-autoreply',
]

/** They say nothing about who wrote a mail: mailing lists and people's programs set them. */
const quietPrecedences: ReadonlySet<string> = new Set(['auto_reply', 'bulk', 'junk', 'list'])

/**
 * Whether a program sent a mail, by its strongest sign (RFC 3834, RFC 3464, and what programs do), and whether programs may
 * answer it (RFC 3834 §2, RFC 2919). Mails of people come through lists, groups and rules of mailboxes, too. `subject`: decoded.
 */
export function mailMarks(head: MailHead, from: MailAddress | null, subject: string): MailMarks {
  const contentType = (firstValue(head, 'content-type') ?? '').toLowerCase()
  const reportType = contentType.startsWith('multipart/report')
    ? (/report-type\s{0,5}=\s{0,5}"?([a-z-]{1,50})/.exec(contentType)?.[1] ?? 'delivery-status')
    : undefined
  const { email, name } = { email: from?.email ?? '', name: from?.name ?? '' }
  const isFromDaemon = daemon.test(email) || daemonName.test(name)
  const hasNoReturnPath = /^<\s*>/.test(firstValue(head, 'return-path') ?? '')
  const isBounce =
    reportType === 'delivery-status' ||
    firstValue(head, 'x-failed-recipients') !== undefined ||
    (isFromDaemon && hasNoReturnPath) ||
    isBounceSubject(subject, isFromDaemon) ||
    mailerDaemon.test(email) ||
    mailerDaemon.test(name)
  if (isBounce) return { auto: 'bounce', isQuiet: true }
  const isForwarded = isForwardedByRule(head)
  const submitted = keyword(head, 'auto-submitted')
  const precedences = allValues(head, 'precedence').map((value) => value.trim().toLowerCase())
  const isReply =
    isFromDaemon ||
    isAbsenceSubject(subject) ||
    reportType !== undefined ||
    (!isForwarded && (hasNoReturnPath || (submitted !== '' && submitted !== 'no'))) ||
    autoHeaders.some((header) => (firstValue(head, header) ?? 'no').toLowerCase() !== 'no')
  if (isReply) return { auto: 'reply', isQuiet: true }
  const suppress = keyword(head, 'x-auto-response-suppress')
  const isQuiet =
    isForwarded ||
    (suppress !== '' && suppress !== 'none') ||
    ['list-id', 'list-unsubscribe', 'list-post', 'mailing-list'].some((one) => firstValue(head, one) !== undefined) ||
    precedences.some((precedence) => quietPrecedences.has(precedence))
  return { auto: null, isQuiet }
}

/**
 * Whether a rule of a mailbox passed on what somebody wrote: servers mark such mails like those of programs. An absence
 * notice of the same rules answers the mail that it is about.
 */
function isForwardedByRule(head: MailHead): boolean {
  if (keyword(head, 'auto-submitted') === 'auto-forwarded') return true
  const isByRules =
    /^mailbox rules agent/i.test(firstValue(head, 'x-ms-exchange-generated-message-source') ?? '') ||
    firstValue(head, 'x-ms-exchange-inbox-rules-loop') !== undefined
  const parent = firstValue(head, 'x-ms-exchange-parent-message-id')
  return isByRules && (parent === undefined || firstValue(head, 'in-reply-to') !== parent)
}

/** The first word of a header, without parameters and comments. */
const keyword = (head: MailHead, name: string): string =>
  /^[\w-]{1,50}/.exec(firstValue(head, name) ?? '')?.[0].toLowerCase() ?? ''

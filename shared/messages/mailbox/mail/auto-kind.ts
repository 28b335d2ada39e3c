import type { MailAddress } from './addresses.ts'
import { isAbsenceSubject, isBounceSubject } from './machine-subjects.ts'
import { allValues, firstValue, type MailHead } from './mail-head.ts'

/**
 * What a program sent by itself: a bounce of a mail, an answer or a notice, or a mail to a list; null for what a person
 * wrote. None of them is ever answered.
 */
export type AutoKind = 'bounce' | 'reply' | 'list' | null

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

/** The kind of a mail by its strongest sign (RFC 3834, RFC 3464, RFC 2919, and what programs do). `subject`: decoded. */
export function autoKind(head: MailHead, from: MailAddress | null, subject: string): AutoKind {
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
  if (isBounce) return 'bounce'
  const submitted = keyword(head, 'auto-submitted')
  const suppress = keyword(head, 'x-auto-response-suppress')
  const precedences = allValues(head, 'precedence').map((value) => value.trim().toLowerCase())
  const isReply =
    isFromDaemon ||
    isAbsenceSubject(subject) ||
    reportType !== undefined ||
    hasNoReturnPath ||
    (submitted !== '' && submitted !== 'no') ||
    (suppress !== '' && suppress !== 'none') ||
    precedences.includes('auto_reply') ||
    autoHeaders.some((header) => (firstValue(head, header) ?? 'no').toLowerCase() !== 'no')
  if (isReply) return 'reply'
  const isList =
    firstValue(head, 'list-id') !== undefined ||
    precedences.some((precedence) => precedence === 'bulk' || precedence === 'junk' || precedence === 'list')
  return isList ? 'list' : null
}

/** The first word of a header, without parameters and comments. */
const keyword = (head: MailHead, name: string): string =>
  /^[\w-]{1,50}/.exec(firstValue(head, name) ?? '')?.[0].toLowerCase() ?? ''

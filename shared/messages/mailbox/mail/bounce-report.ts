import { normalAddress } from '../../../platform/mail/normal-address.ts'
import type { BounceFailure } from '../../deliveries/threads/fail-bounced.ts'
import { cleanLine, cleanText } from './clean-text.ts'

/** What a bounce says about the mail that came back. */
export interface BounceReport {
  /** `delayed`: the server keeps trying. */
  readonly action: 'failed' | 'delayed' | 'delivered'
  /** To whom the mail went, in lower case; null when the bounce does not say. */
  readonly recipient: string | null
  /** RFC 3463, such as `5.1.1`. */
  readonly status: string | null
  /** What the server that refused the mail said, on one line. */
  readonly reason: string | null
  /** The recipients that its part `message/delivery-status` reports as failed: what people read proves nothing. */
  readonly failures: readonly BounceFailure[]
  /** The ids in the headers that came back, without brackets. */
  readonly originalIds: readonly string[]
}

const maxReportCharacters = 256 * 1024
const maxRecipients = 1000
const maxIds = 20
const maxReasonCharacters = 500

/** What a bounce may say about the original: its parts, from the best to read. */
export interface BounceSource {
  /** The part `message/delivery-status`. */
  readonly status: string | undefined
  /** The text for people. */
  readonly text: string
  readonly subject: string
  readonly failedRecipients: string | undefined
  /** Where headers of the original may stand. */
  readonly returned: readonly string[]
}

/** Reads a bounce: a report of RFC 3464, or what Exim, Gmail and qmail write for people. */
export function readBounce({ status, text, subject, failedRecipients, returned }: BounceSource): BounceReport {
  const originalIds = [...new Set(returned.flatMap(idsIn))].slice(0, maxIds)
  const found = status === undefined ? undefined : reportedIn(status)
  if (found) return { ...found, originalIds }
  const isDelayed = /delay|warning|verzögert|still being retried/i.test(subject)
  const address = failedRecipients ?? /<([^<>@\s]{1,64}@[^<>@\s]{1,255})>:/.exec(text.slice(0, 4000))?.[1]
  const line = text
    .slice(0, 8000)
    .split('\n')
    .find((one) => /\b[45](?:\d\d\b|\.\d{1,3}\.\d{1,3}\b)/.test(one))
  return {
    action: isDelayed ? 'delayed' : 'failed',
    recipient: address === undefined ? null : addressIn(address),
    status: /\b[45]\.\d{1,3}\.\d{1,3}\b/.exec(line ?? '')?.[0] ?? null,
    reason: line === undefined ? null : cleanLine(line, maxReasonCharacters),
    failures: [],
    originalIds,
  }
}

/** The recipient of a report whose mail failed, else the first. */
function reportedIn(status: string): Omit<BounceReport, 'originalIds'> | undefined {
  const groups = cleanText(status.slice(0, maxReportCharacters))
    .split(/\n[ \t]*\n/)
    .slice(0, maxRecipients)
    .map(fieldsOf)
    .filter((fields) => fields.has('action') || fields.has('final-recipient'))
  const group = groups.find((fields) => actionOf(fields) === 'failed') ?? groups[0]
  if (!group) return undefined
  const recipient = group.get('original-recipient') ?? group.get('final-recipient')
  const diagnostic = group.get('diagnostic-code')?.replace(/^[\w-]{1,30}\s*;\s*/, '')
  return {
    action: actionOf(group),
    recipient: recipient === undefined ? null : addressIn(recipient),
    status: statusOf(group),
    reason: diagnostic ? cleanLine(diagnostic, maxReasonCharacters) : null,
    failures: groups.filter((fields) => actionOf(fields) === 'failed').map(failureOf),
  }
}

type Fields = ReadonlyMap<string, string>
const statusOf = (fields: Fields): string | null =>
  /^\d\.\d{1,3}\.\d{1,3}/.exec(fields.get('status') ?? '')?.[0] ?? null

const failureOf = (fields: Fields): BounceFailure => ({
  recipients: ['original-recipient', 'final-recipient'].flatMap((name) => namesIn(fields.get(name))),
  status: statusOf(fields),
  code: /\b[245]\d\d\b/.exec(fields.get('diagnostic-code')?.slice(0, 1000) ?? '')?.[0] ?? null,
})

/** An address as it is, and as it was before it was encoded as xtext (RFC 3461 §4). */
function namesIn(field: string | undefined): string[] {
  const address = field === undefined ? null : addressIn(field)
  if (address === null) return []
  const decoded = address.replaceAll(/\+([0-9a-f]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return [address, decoded].flatMap((one) => normalAddress(one) ?? [])
}

/** RFC 3464 §2.3.3. `relayed` and `expanded` mails left our sight, as delivered ones did. */
function actionOf(fields: Fields): BounceReport['action'] {
  const action = /^[a-z]+/.exec((fields.get('action') ?? '').toLowerCase())?.[0]
  if (action === 'delayed' || action === 'failed') return action
  return action === undefined && (fields.get('status') ?? '').startsWith('5') ? 'failed' : 'delivered'
}

const fieldsOf = (group: string): Fields =>
  new Map(
    group
      .replaceAll(/\n[ \t]+/g, ' ')
      .split('\n')
      .flatMap((line) => {
        const colon = line.indexOf(':')
        return colon < 1 ? [] : [[line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()] as const]
      }),
  )

/** `rfc822; a@b.c` and `<a@b.c>` name an address. */
const addressIn = (text: string): string | null =>
  /[^\s<>;,:"]{1,64}@[^\s<>;,:"]{1,255}/.exec(text.slice(0, 1000))?.[0].toLowerCase() ?? null

const idsIn = (text: string): string[] =>
  [...text.matchAll(/^(?:x-)?(?:original-)?(?:message|delivery)-id[ \t]{0,5}:\s{0,5}<?([\w.@+=-]{1,300})/gim)]
    .slice(0, maxIds)
    .map(([, id]) => id as string)

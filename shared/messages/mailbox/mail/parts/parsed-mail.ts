import type { MailAddress } from '../addresses.ts'
import type { BounceReport } from '../bounce-report.ts'
import type { MailMarks } from '../mail-marks.ts'

/** A file in a mail, or an image that its HTML shows. */
export interface MailPart {
  /** One safe file name without a path. */
  readonly name: string
  readonly contentType: string
  readonly bytes: Buffer
  /** What `cid:` links of the HTML name, without brackets. */
  readonly contentId: string | null
}

/** What of a mail was left out, because it is longer than is kept. */
export type Truncated = 'headers' | 'body' | 'html' | 'parts'

/** What a calendar part says: a meeting that somebody is asked to. */
export interface Invitation {
  /** `request`, `cancel`, `reply` and so on (RFC 5546), in lower case; null of a calendar that asks nobody. */
  readonly method: string | null
  readonly summary: string
  /** ISO, or a day alone; null where it names none. Without a zone it is the time of wherever it takes place. */
  readonly starts: string | null
  readonly ends: string | null
  readonly is_all_day: boolean
  /** When it is, in the time zone of the company. */
  readonly when: string | null
  readonly location: string | null
  readonly organizer: string | null
  readonly description: string | null
  readonly repeats: boolean
}

/** A mail that is attached to another. */
export type AttachedMail = Pick<ParsedMail, 'from' | 'replyTo' | 'subject' | 'messageId' | 'body' | 'html'>

/** What a mail says. Nothing in it is trusted: it is cleaned and bounded, but everybody can write anything. */
export interface ParsedMail extends MailMarks {
  readonly from: MailAddress | null
  readonly to: readonly MailAddress[]
  readonly cc: readonly MailAddress[]
  readonly replyTo: readonly MailAddress[]
  readonly subject: string | null
  /** The ids with their brackets. */
  readonly messageId: string | null
  readonly inReplyTo: string | null
  /** From the oldest to the newest. */
  readonly references: readonly string[]
  /** When its sender says it was sent (ISO); null when that is no date. */
  readonly date: string | null
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  readonly body: string
  /** Sanitised: safe to show. */
  readonly html: string | null
  readonly attachments: readonly MailPart[]
  readonly bounce: BounceReport | null
  /** What its writer says beside the mails that are attached to it. */
  readonly note: string
  /** The first of these. */
  readonly attached: AttachedMail | null
  /** The meeting that it is about. */
  readonly invitation: Invitation | null
  /** Signed, which nobody has verified, or encrypted, so that it cannot be read here. */
  readonly protection: 'signed' | 'encrypted' | null
  readonly truncated: readonly Truncated[]
  /** Why not all of it could be read. */
  readonly parseError: string | null
}

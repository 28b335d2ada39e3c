import type { MailSettings } from './mail-settings.ts'
import type { MailThread } from './record-thread.ts'

/** One mail to one recipient, and whoever gets a copy: the same in every attempt to send it. */
export interface Mail {
  /** The `X-Delivery-Id`. Letters, digits, `.`, `_` and `-`. */
  readonly id: string
  /** The signed id that is the part of its `Message-ID` before the @ (`id` when left out), and what it refers to. */
  readonly thread?: MailThread
  /** The `Message-ID` of the mail that it answers, with brackets. */
  readonly inReplyTo?: string
  /** A person wrote it to its reader, so that it is not `Auto-Submitted`. */
  readonly isPersonal?: true
  /** Where a mail program ends such mails by one click (RFC 8058). */
  readonly unsubscribeUrl?: string
  /** When it was asked for (Unix milliseconds). */
  readonly createdAtMs: number
  /** One address. */
  readonly to: string
  /** Addresses that get a copy, which every reader sees. */
  readonly cc?: readonly string[]
  readonly subject: string
  /** At least one of the two; with both, the reader's program chooses. */
  readonly text?: string
  readonly html?: string
  readonly files?: readonly MailFile[]
}

/** A file inside a mail. */
export interface MailFile {
  readonly name: string
  readonly contentType: string
  readonly content: Uint8Array
}

interface Answer {
  /** The code of the server, such as `550` or `MessageRejected`. */
  readonly code?: string
  /** The beginning of its answer, without the login. It may repeat parts of the mail. */
  readonly excerpt?: string
}

/**
 * What became of an attempt. `failed`: a later one may succeed. `refused`: none will; `by`: the server answered so, or the
 * service did without contacting it. `error` says what happened and what to do; it holds no secret and no words of the
 * server.
 */
export type MailOutcome = Answer &
  (
    | { readonly kind: 'delivered' }
    | { readonly kind: 'failed'; readonly error: string }
    | { readonly kind: 'refused'; readonly error: string; readonly by: 'receiver' | 'service' }
  )

/** Hands a mail to the server of the settings, once. Never throws for what a server does. */
export type SendMail = (settings: MailSettings, mail: Mail) => Promise<MailOutcome>

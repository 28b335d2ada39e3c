/** One message that left the service through the local cloud. */

export const entryTypes = ['mail', 'sms', 'messenger', 'webhook', 'stream', 'event'] as const
export type EntryType = (typeof entryTypes)[number]

/** What a receiver got, as the provider that took it reports it. */
export interface Sent {
  readonly type: EntryType
  /** `smtp`, `ses`, `sns`, `bot-api`, `http`, `kinesis` or `eventbridge`. */
  readonly provider: string
  readonly from?: string
  /** Addresses, a phone number, a chat, a URL, a stream or a bus. Mails may have several. */
  readonly to: readonly string[]
  readonly subject?: string
  readonly text: string
  readonly html?: string
  /** As it was sent: the MIME message of a mail, the JSON of anything else. */
  readonly source: string
  /** What else the protocol carries, for a person to read. */
  readonly meta: Readonly<Record<string, string | number>>
}

export interface Entry extends Sent {
  /** Grows with time; never used twice in a data directory. */
  readonly id: number
  /** ISO. */
  readonly at: string
  /** The function that sent it; left out for mails, which arrive over a connection. */
  readonly function?: string
}

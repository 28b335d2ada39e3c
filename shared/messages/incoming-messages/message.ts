import { newText } from './new-text/new-text.ts'

export const incomingChannels = ['messenger', 'email', 'api'] as const
export type IncomingChannel = (typeof incomingChannels)[number]

/** The name of incoming messages in sequences, permissions and claims of files. */
export const messageSequence = 'sys_incoming_messages'

/** A file of a message. */
export interface Attachment {
  readonly name: string
  readonly content_type: string
  readonly size: number
  /** Null when its content could not be kept; `problem` then says why. */
  readonly path: string | null
  readonly problem?: string
  /** How the HTML of a mail refers to it. */
  readonly content_id?: string
}

export interface RecordRef {
  readonly model: string
  readonly id: number
}

/** Whom a mail names besides its sender, in lower case. */
export interface MailAddresses {
  /** Where its sender wants answers (RFC 5322 §3.6.2). */
  readonly replyTo: readonly { readonly name: string | null; readonly email: string }[]
  /** Its To and Cc. */
  readonly others: readonly string[]
  /** The addresses at which mail servers took it for us: of ours, or of whoever forwards to us. */
  readonly takenAt: readonly string[]
}

/** What a rule did with a message. Without a record, it ended by `return` or failed. */
export interface RuleOutcome {
  /** The rule; 0: somebody by hand; negative: the mailbox. */
  readonly actionId: number
  readonly action: string
  readonly kind: 'created' | 'updated' | 'commented' | 'ended' | 'failed'
  readonly record?: RecordRef
  /** Why it failed, and where in its script. */
  readonly message?: string
  readonly line?: number
  readonly column?: number
  /** ISO. */
  readonly at: string
}

/** A message as it arrives. */
export interface NewMessage {
  readonly channel: IncomingChannel
  /** The messenger's channel (0: the bot of the settings), or the inbound source; null when there is none. */
  readonly channelId: number | null
  /** Of a mail: the mailbox that it arrived at first; 0, when left out, is the one of the settings. */
  readonly mailboxId?: number
  readonly fromName: string | null
  readonly fromEmail: string | null
  readonly fromId: string | null
  readonly subject: string | null
  /** The `Message-ID` of a mail, with its brackets. */
  readonly mailId?: string
  readonly body: string
  /** Of a mail: what is new in it, without what it quotes. */
  readonly bodyNew?: string
  /** Plain JSON. */
  readonly payload: Readonly<Record<string, unknown>>
  readonly attachments: readonly Attachment[]
  /** The record that the message replies to. */
  readonly replyTo?: RecordRef
  /** The record whose conversation it continues, as far as known: that of `replyTo`, or one of the same table that was merged into it before. */
  readonly replyThrough?: number
  /** The message whose record it joins, once that has one: it answers that mail, and is processed after it. */
  readonly answers?: number
  /** Who sent it, when that is proved. */
  readonly userId?: number
  /** What says that a program sent it. Rules leave such messages alone. */
  readonly auto?: string
  /** It answers a notice of an internal comment, or a forward: it is for the team alone, and no rule sees it. */
  readonly isInternal?: true
  /** The comment that forwarded messages to its sender, or to somebody who passed them on. */
  readonly forward?: number
  /** A mail that programs do not answer: it came through a list, a group or a rule of a mailbox, or asks for it. */
  readonly isQuiet?: true
  /** Of a mail: whom it names besides its sender. */
  readonly addresses?: MailAddresses
  readonly receivedAtMs: number
  /** What the channel knows the message by: of equal ones only the first is stored, for 30 days. */
  readonly onceKey?: string
  /** Messages of a conversation are processed in order. */
  readonly conversation?: string
  /** The place in the conversation; the id when left out. */
  readonly position?: number
}

/** What is known of a stored message without its content. */
export interface MessageHead extends Omit<
  NewMessage,
  'body' | 'bodyNew' | 'payload' | 'attachments' | 'onceKey' | 'conversation' | 'position'
> {
  readonly id: number
  readonly conversation: string
  readonly position: number
  /** It was split off the record that it came in at: answers to it belong to its own. */
  readonly isSplit?: true
  /** Rules have not run yet. */
  readonly isWaiting: boolean
  /** Since when it waits for them: when it was stored here, however old it was then, or put to wait again. */
  readonly waitingSinceMs: number
  /** How often it was put to wait again. */
  readonly round: number
  /** It waits, and the later messages of its conversation do not wait for it. */
  readonly isGivenUp: boolean
  readonly outcomes: readonly RuleOutcome[]
  readonly rev: number
}

/** What a message says. */
export type MessageContent = Pick<NewMessage, 'body' | 'bodyNew' | 'payload' | 'attachments'>

export interface IncomingMessage extends MessageHead, MessageContent {}

/** The mailbox that a message arrived at, 0 for the one of the settings; null for one that is no mail. */
export const mailboxOf = ({ channel, mailboxId = 0 }: Pick<MessageHead, 'channel' | 'mailboxId'>): number | null =>
  channel === 'email' ? mailboxId : null

/** What is new in a message; of a mail from before that was stored, as far as its form tells. */
export const newTextOf = ({
  channel,
  subject,
  body,
  bodyNew,
}: Pick<IncomingMessage, 'channel' | 'subject' | 'body' | 'bodyNew'>): string =>
  channel === 'email' ? (bodyNew ?? newText(body, subject)) : body

/** A rule dealt with the message. */
export const isProcessed = ({ outcomes }: Pick<MessageHead, 'outcomes'>): boolean =>
  outcomes.some(({ kind }) => kind !== 'failed')

/** What people do with a message themselves is noted as that of a rule; no rule has this id. */
export const byHandId = 0

/** Whether somebody made a record of a message. */
export const isMadeByHand = ({ outcomes }: Pick<MessageHead, 'outcomes'>): boolean =>
  outcomes.some(({ actionId, record }) => actionId === byHandId && record !== undefined)

/** Whether somebody wrote a message, who may wait for an answer: no program, and no system without an address. */
export const isWordOfPerson = ({
  auto,
  channel,
  fromEmail,
}: Pick<MessageHead, 'auto' | 'channel' | 'fromEmail'>): boolean =>
  auto === undefined && (channel !== 'api' || fromEmail !== null)

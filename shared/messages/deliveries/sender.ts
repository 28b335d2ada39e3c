import type { Tenant } from '../../kernel/tenancy.ts'
import type { MailThread } from '../../platform/mail/record-thread.ts'
import type { ChannelType } from '../channels/channel-types.ts'
import type { OpenedChannel } from '../channels/channel.ts'
import type { IntentContent } from './rows/intent-content.ts'
import type { Outcome } from './state/outcome.ts'
import type { Pace } from './state/pace.ts'

/** A file inside a message. */
export interface OutgoingFile {
  readonly name: string
  readonly contentType: string
  /** Bytes. */
  readonly size: number
  readonly read: () => Promise<Uint8Array>
}

/** One message to one recipient, as a sender gets it: the same in every attempt. */
export interface OutgoingMessage extends Omit<
  IntentContent,
  'template' | 'params' | 'tasks' | 'stops' | 'held' | 'files' | 'quotes' | 'forwards'
> {
  /** The same in every attempt: receivers recognise a repeat by it. */
  readonly id: string
  readonly tenant: Pick<Tenant, 'id' | 'slug'>
  readonly recipient: string
  /** Of a mail: its signed id, and what leads answers to it back to its record. */
  readonly thread?: MailThread
  /** Of a mail: where a mail program ends such mails by one click. */
  readonly unsubscribeUrl?: string
  /** Of a mail: the files inside it, read when it is sent. */
  readonly files?: readonly OutgoingFile[]
  /** The newer version of the record that was delivered before, when this one was overtaken. */
  readonly supersededBy?: number
  /** When the message was asked for (ISO). */
  readonly createdAt: string
}

/** What earlier attempts of a message in several parts came to, and where this one notes its progress. */
export interface Progress {
  /** So many parts, the first ones, were accepted: they are not sent again. */
  readonly partsAccepted: number
  /** Notes a higher number. Answers false when another attempt has taken over: this one must stop. */
  readonly accept: (parts: number) => Promise<boolean>
}

/** Sends messages of a type of channel. Answers the outcome of every failure that a receiver can cause. */
export interface Sender<Type extends ChannelType = ChannelType> {
  send(message: OutgoingMessage, channel: OpenedChannel<Type>, progress?: Progress): Promise<Outcome>
  /** How fast its messages may be sent, when receivers bound it. Deliveries then wait for their turn. */
  paceOf?(message: OutgoingMessage, partsAccepted: number): Pace
}

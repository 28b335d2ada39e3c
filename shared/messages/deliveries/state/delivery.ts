import type { ChannelType } from '../../channels/channel-types.ts'

export const deliveryStatuses = ['queued', 'sending', 'retrying', 'delivered', 'failed', 'cancelled'] as const
export type DeliveryStatus = (typeof deliveryStatuses)[number]

/** What asked for a message: a hook, a process, a subscription or a user, and the record that it is about. */
export interface DeliverySource {
  readonly model: string | null
  readonly record_id: number | null
  readonly hook?: string
  readonly process_id?: number
  readonly user_id?: number
  /** The administrator who acted as the user. */
  readonly impersonator_id?: number
  readonly subscription_id?: number
  /** The version of the record that a subscription tells. */
  readonly record_version?: number
  /** It repeats an internal comment on the record. */
  readonly is_internal?: true
  /** The comment that it is, as a reply to somebody outside. */
  readonly comment_id?: number
  /** The comment that began the conversation with somebody outside that it is part of: a forward, which is no word to the customer. */
  readonly forward_id?: number
  /** The record whose customer it answers, which was merged into the one that it is about. */
  readonly conversation_id?: number
}

/** One message to one recipient, and what became of it. Times are Unix milliseconds. */
export interface Delivery {
  readonly id: number
  /** The intent that it came from; what is sent is stored there. */
  readonly intent: string
  /** Its number among the recipients of the intent, from 0. */
  readonly n: number
  readonly channelId: number
  readonly channelType: ChannelType
  readonly recipient: string
  /** Of a mail: the address that it left from, once it was attempted. */
  readonly from?: string
  /** Of a mail: who gets a copy. */
  readonly cc?: readonly string[]
  /** The language of the recipient, which a template is rendered in; null when it is not known. */
  readonly locale: string | null
  readonly subject: string | null
  /** The beginning of the body, for lists. */
  readonly excerpt: string
  /** What its template names and nobody gave. */
  readonly missing?: readonly string[]
  readonly status: DeliveryStatus
  readonly attemptCount: number
  /** The attempts before the last retry by hand, which begins the schedule anew. */
  readonly attemptsBefore: number
  /** Of a message that is sent in parts: so many, the first ones, were accepted. */
  readonly partsAccepted: number
  readonly createdAtMs: number
  /** While queued or retrying. */
  readonly nextAttemptAtMs: number | null
  /** It waits until its intent says what it gathers: no attempt is made before. */
  readonly isHeld?: true
  /** While sending: from then on the attempt counts as lost. */
  readonly leaseUntilMs: number | null
  readonly attemptedAtMs: number | null
  readonly deliveredAtMs: number | null
  readonly lastError: string | null
  /** When it was last attempted, its subscription had delivered this newer version of the record. */
  readonly supersededBy?: number
  readonly source: DeliverySource
  /** The request that caused it, for logs. */
  readonly requestId?: string
  /** Rises with every write of the row. */
  readonly rev: number
}

/** The identity of the message: the same in every attempt, so that receivers recognise a repeat. */
export const messageId = ({ intent, n }: Pick<Delivery, 'intent' | 'n'>): string =>
  `msg_${intent.replaceAll('-', '')}_${n}`

/** Whether nothing more happens to the delivery by itself. */
export const isFinal = ({ status }: Pick<Delivery, 'status'>): boolean =>
  status === 'delivered' || status === 'failed' || status === 'cancelled'

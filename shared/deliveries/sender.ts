import type { ChannelType, OpenedChannel } from '../channels/service.ts'
import type { Tenant } from '../kernel/tenancy.ts'
import type { IntentContent } from './rows/intent-content.ts'
import type { Outcome } from './state/outcome.ts'

/** One message to one recipient, as a sender gets it: the same in every attempt. */
export interface OutgoingMessage extends Omit<IntentContent, 'template' | 'params'> {
  /** The same in every attempt: receivers recognise a repeat by it. */
  readonly id: string
  readonly tenant: Pick<Tenant, 'id' | 'slug'>
  readonly recipient: string
  /** When the message was asked for (ISO). */
  readonly createdAt: string
}

/** Sends messages of a type of channel. Answers the outcome of every failure that a receiver can cause. */
export interface Sender<Type extends ChannelType = ChannelType> {
  send(message: OutgoingMessage, channel: OpenedChannel<Type>): Promise<Outcome>
}

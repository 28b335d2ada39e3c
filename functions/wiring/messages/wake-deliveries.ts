import { requireEnvironment } from '../../../shared/kernel/require-environment.ts'
import type { ChannelType } from '../../../shared/messages/channels/schema.ts'
import { deliveryWaker } from '../../../shared/messages/deliveries/service.ts'
import { send } from '../send.ts'

const queueUrls: Readonly<Record<ChannelType, string>> = {
  messenger: requireEnvironment('MESSENGER_QUEUE_URL'),
  email: requireEnvironment('MAILS_QUEUE_URL'),
  sms: requireEnvironment('SMS_QUEUE_URL'),
  webhook: requireEnvironment('WEBHOOKS_QUEUE_URL'),
  stream: requireEnvironment('STREAMS_QUEUE_URL'),
  amqp: requireEnvironment('AMQP_QUEUE_URL'),
  eventbridge: requireEnvironment('EVENTBRIDGE_QUEUE_URL'),
}

/** Wakes deliveries through the queue of their type. */
export const wakeDeliveries = deliveryWaker(send, (type) => queueUrls[type])

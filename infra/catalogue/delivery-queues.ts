import type { EnvironmentName, Grant, QueueName } from './deployed-function.ts'

/** Where the deliveries of each type of channel wait for an attempt. */
export const deliveryQueues = {
  messenger: 'messenger',
  email: 'mails',
  sms: 'sms',
  webhook: 'webhooks',
  stream: 'streams',
  amqp: 'amqp',
  eventbridge: 'eventbridge',
} as const satisfies Readonly<Record<string, QueueName>>
/** A type of channel. */
export type DeliveryType = keyof typeof deliveryQueues

/** For functions that wake deliveries. */
export const wakeDeliveries: readonly Grant[] = Object.values(deliveryQueues).map((queue) => ({
  on: queue,
  actions: ['sqs:SendMessage'],
}))
/** What functions that wake deliveries find the queues by. */
export const deliveryQueueVariables = [
  'MESSENGER_QUEUE_URL',
  'MAILS_QUEUE_URL',
  'SMS_QUEUE_URL',
  'WEBHOOKS_QUEUE_URL',
  'STREAMS_QUEUE_URL',
  'AMQP_QUEUE_URL',
  'EVENTBRIDGE_QUEUE_URL',
] as const satisfies readonly EnvironmentName[]

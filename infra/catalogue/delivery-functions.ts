import { background } from './background.ts'
import type { FunctionEntry, EnvironmentName, Grant } from './deployed-function.ts'
import { putEvents, putRecords, readContents, sendBySes, sendSms } from './grants.ts'
import type { DeliveryType } from './queues.ts'

interface SenderParts {
  /** The legacy settings that it opens too. */
  readonly settings?: readonly string[]
  readonly grants?: readonly Grant[]
  readonly environment?: readonly EnvironmentName[]
}

/** The function that makes the attempts of a type of channel. */
const sender = (
  type: DeliveryType,
  description: string,
  { settings = [], grants = [], environment = [] }: SenderParts = {},
): FunctionEntry =>
  background(`delivery-${type}`, description, {
    grants: [
      {
        on: 'table',
        actions: [
          'dynamodb:BatchGetItem',
          'dynamodb:BatchWriteItem',
          'dynamodb:GetItem',
          'dynamodb:PutItem',
          'dynamodb:Query',
          'dynamodb:UpdateItem',
        ],
      },
      readContents,
      { on: 'settings-key', names: ['channel.*', ...settings], actions: ['kms:Decrypt'] },
      ...grants,
    ],
    environment: ['TABLE_NAME', 'FILES_BUCKET', 'SETTINGS_KEY_ARN', ...environment],
  })

/** The functions that make the attempts of deliveries, one for each type of channel. */
export const deliveryFunctions: readonly FunctionEntry[] = [
  sender('webhook', 'Sends webhooks, and records what became of them'),
  sender('email', 'Sends mails, and records what became of them', {
    settings: ['MAIL_PASSWORD'],
    grants: [sendBySes],
    environment: ['APP_MODE', 'SES_DOMAINS'],
  }),
  sender('messenger', 'Sends messages of bots, and records what became of them', {
    settings: ['MESSENGER_BOT_TOKEN'],
    // It unlinks chats that take no more messages.
    grants: [{ on: 'table', actions: ['dynamodb:DeleteItem'] }],
  }),
  sender('sms', 'Sends text messages, and records what became of them', {
    grants: [sendSms],
    environment: ['APP_MODE', 'SMS_TENANTS'],
  }),
  sender('stream', 'Puts records into streams, and records what became of them', {
    grants: [putRecords],
    environment: ['APP_MODE', 'STREAM_OWNERS'],
  }),
  sender('amqp', 'Publishes to AMQP brokers, and records what became of it'),
  sender('eventbridge', 'Puts events on event buses, and records what became of them', {
    grants: [putEvents],
    environment: ['APP_MODE', 'EVENT_BUS_OWNERS'],
  }),
]

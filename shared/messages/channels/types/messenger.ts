import * as z from 'zod'
import type { ChannelTypeDeclaration } from '../channel-type.ts'
import { httpUrl, retrySchedule, secret } from '../config/config-values.ts'

/** Texts to chats, through a bot of Telegram. */
export const messenger = {
  config: z.strictObject({ bot_token: secret, api_base: httpUrl.optional(), retry_schedule: retrySchedule }),
  secrets: ['bot_token'],
  members: 'bot_token, api_base',
  content: 'text',
  userAddress: 'chat',
  isIncoming: true,
  settings: {
    name: 'MESSENGER_BOT_TOKEN setting',
    config: {},
    members: {},
    secrets: { bot_token: 'MESSENGER_BOT_TOKEN' },
    required: ['bot_token'],
  },
  description: 'Sends messages of bots, and records what became of them',
  deadLetters: 'Wake-ups of messages that delivery-messenger failed on',
  // It unlinks chats that take no more messages.
  rights: [{ on: 'table', actions: ['dynamodb:DeleteItem'] }],
} as const satisfies ChannelTypeDeclaration

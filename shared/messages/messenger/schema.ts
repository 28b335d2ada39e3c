import * as z from 'zod'

export const WebhookInput = z.strictObject({
  channel_id: z.int().min(0).optional().meta({
    description:
      'The incoming channel; 0 is the bot of the setting `MESSENGER_BOT_TOKEN`. Left out: the only incoming channel, else that bot.',
  }),
})

export const WebhookAnswer = z.object({
  url: z.string().meta({ description: 'Where the Bot API sends the updates of the bot.' }),
  channel_id: z.int().meta({ description: '0: the bot of the settings.' }),
})

export const MessengerLink = z.object({
  code: z.string().meta({ description: 'Works once: `/start <code>`, sent to the bot, links the chat.' }),
  url: z.string().nullable().meta({ description: 'Opens the bot with the code; null when its name is not known.' }),
  expires_at: z.string().meta({ format: 'date-time' }),
})
export type MessengerLink = z.output<typeof MessengerLink>

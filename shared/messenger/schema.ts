import * as z from 'zod'

export const MessengerLink = z.object({
  code: z.string().meta({ description: 'Works once: `/start <code>`, sent to the bot, links the chat.' }),
  url: z.string().nullable().meta({ description: 'Opens the bot with the code; null when its name is not known.' }),
  expires_at: z.string().meta({ format: 'date-time' }),
})
export type MessengerLink = z.output<typeof MessengerLink>

import * as z from 'zod'
import { maxDetailTypeCharacters } from '../../../kernel/limits/messages.ts'
import type { ChannelTypeDeclaration } from '../channel-type.ts'
import { retrySchedule, text } from '../config/config-values.ts'

/** The service may write to the buses of its own account, where their names suffice. */
const busName = z.string().regex(/^[\w./-]{1,256}$/, {
  error: 'The name of an event bus has letters, digits, dots, dashes, slashes and underscores; an ARN is no name.',
})

/** Events on EventBridge buses of the deployment. */
export const eventbridge = {
  config: z.strictObject({
    bus_name: busName,
    detail_type: text.max(maxDetailTypeCharacters),
    retry_schedule: retrySchedule,
  }),
  secrets: [],
  members: 'bus_name, detail_type',
  content: 'json',
  isPublished: true,
  placeOf: ({ bus_name: name }) => String(name),
  description: 'Puts events on event buses, and records what became of them',
  deadLetters: 'Wake-ups of events that delivery-eventbridge failed on',
  rights: [{ on: 'account-buses', actions: ['events:PutEvents'] }],
  environment: ['APP_MODE', 'EVENT_BUS_OWNERS'],
} as const satisfies ChannelTypeDeclaration

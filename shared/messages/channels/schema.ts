import * as z from 'zod'
import { maxChannelNameCharacters, maxChannelTextCharacters } from '../../kernel/limits/messages.ts'
import { readOnly, stamps } from '../../platform/configured-objects/schema.ts'
import { listQuery } from '../../platform/http/paging/page-query.ts'
import { channelTypeOf, channelTypes, publishedTypes } from './channel-types.ts'

export { type DeliveryQueue, deliveryQueueOf, type SenderRight, type SenderVariable } from './channel-type.ts'
export { type ChannelType, channelTypeOf, channelTypes, publishedTypes } from './channel-types.ts'

const Name = z
  .string()
  .trim()
  .min(1)
  .max(maxChannelNameCharacters)
  .refine((name) => !/\p{Cc}/u.test(name), { error: 'The name may not hold control characters.' })
  .refine((name) => !/^\d+$/.test(name), { error: 'A name of digits only would be read as an id.' })
  .refine((name) => !publishedTypes.some((type) => type === name), {
    error: `For publish these names mean the default of a type: ${publishedTypes.join(', ')}.`,
  })
const Type = z.enum(channelTypes)
const Direction = z.enum(['outgoing', 'incoming'])
export type ChannelDirection = z.output<typeof Direction>
const Config = z.record(z.string(), z.unknown())

const configOf = `What the type needs. ${channelTypes.map((type) => `\`${type}\`: ${channelTypeOf(type).members}.`).join(' ')} Every type: retry_schedule, the seconds before each attempt. Secrets are answered as \`********\`, which on write means unchanged.`

const whatDirections =
  '`incoming`: a bot whose messages are stored (type `messenger` only); `replyMessenger` answers through it, and nothing else is sent by it.'

const ChannelHead = z.object({ id: z.int(), name: z.string(), type: Type })

export const ChannelAnswer = ChannelHead.extend({
  direction: Direction.meta({ description: whatDirections }),
  is_default: z
    .boolean()
    .meta({ description: 'Used where a script names no channel. One per type; never an incoming one.' }),
  is_enabled: z
    .boolean()
    .meta({ description: 'Nothing is sent through a disabled channel, and nothing that arrives at it is stored.' }),
  config: Config.meta({ description: configOf }),
  ...stamps,
})
export type ChannelAnswer = z.output<typeof ChannelAnswer>

/** A channel in the list: administrators see all members, everybody else id, name and type. */
export const ListedChannel = ChannelHead.extend(
  ChannelAnswer.omit({ id: true, name: true, type: true }).partial().shape,
)
export type ListedChannel = z.output<typeof ListedChannel>

export const ChannelInput = z.strictObject({
  ...readOnly,
  name: Name,
  direction: Direction.optional().meta({ description: `\`outgoing\` when left out. ${whatDirections}` }),
  type: Type,
  is_default: z
    .boolean()
    .optional()
    .meta({ description: 'False when left out. True ends the default of another one.' }),
  is_enabled: z.boolean().optional().meta({ description: 'True when left out.' }),
  config: Config.meta({ description: configOf }),
})
export type ChannelInput = z.output<typeof ChannelInput>

export const ChannelChange = ChannelInput.partial()
export type ChannelChange = z.output<typeof ChannelChange>

export const ChannelListQuery = listQuery(ListedChannel).extend({ direction: Direction.optional() })

export const ChannelTest = z.strictObject({
  to: z
    .string()
    .max(maxChannelTextCharacters)
    .optional()
    .meta({ description: 'The recipient, for types that have recipients.' }),
})

export const ChannelTestResult = z.object({
  ok: z.boolean(),
  code: z.string().optional().meta({ description: 'What the receiver answered in its protocol, for example `503`.' }),
  error: z.string().optional(),
})

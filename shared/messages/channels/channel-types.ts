import type * as z from 'zod'
import type { ChannelTypeDeclaration } from './channel-type.ts'
import { amqp } from './types/amqp.ts'
import { email } from './types/email.ts'
import { eventbridge } from './types/eventbridge.ts'
import { messenger } from './types/messenger.ts'
import { sms } from './types/sms.ts'
import { stream } from './types/stream.ts'
import { webhook } from './types/webhook.ts'

/** Every type of channel (contract §6), in the order in which the API names them. */
const declared = {
  messenger,
  email,
  sms,
  webhook,
  stream,
  amqp,
  eventbridge,
} as const satisfies Readonly<Record<string, ChannelTypeDeclaration>>

export type ChannelType = keyof typeof declared
export type ChannelConfig<Type extends ChannelType = ChannelType> = z.output<(typeof declared)[Type]['config']>

export const channelTypes = Object.keys(declared) as readonly ChannelType[]
export const channelTypeOf = (type: ChannelType): ChannelTypeDeclaration => declared[type]

/** The types whose messages are of a kind. */
export const typesWithContent = (content: ChannelTypeDeclaration['content']): readonly ChannelType[] =>
  channelTypes.filter((type) => declared[type].content === content)
/** The types that `publish` sends to. Their names stand for their default channels there. */
export const publishedTypes = channelTypes.filter((type) => channelTypeOf(type).isPublished)

import { Invalid } from '../../kernel/failures/faults.ts'
import { type ChannelType, channelTypeOf } from './channel-types.ts'
import type { ChannelDirection } from './schema.ts'

/**
 * Throws Invalid when there is no such channel: only bots receive messages, and what only answers is no default to send
 * through.
 */
export function checkDirection(type: ChannelType, direction: ChannelDirection, isDefault: boolean | undefined): void {
  if (direction === 'outgoing') return
  if (!channelTypeOf(type).isIncoming)
    throw new Invalid({
      direction: [
        `A channel of type ${type} is outgoing: only messenger channels are incoming. Mails come in through the IMAP settings, and webhooks at /api/sys/inbound-sources.`,
      ],
    })
  if (isDefault)
    throw new Invalid({
      is_default: ['An incoming channel is no default: it only answers those who write to it. Leave is_default out.'],
    })
}

import type { ChannelType } from '../channels/channel-types.ts'
import type { OpenedChannel } from '../channels/channel.ts'
import type { OutgoingMessage, Sender } from '../deliveries/sender.ts'

/**
 * A sender that refuses messages through what is not their tenant's. `refusalOf` answers why the tenant with a slug may
 * not use what a channel names; undefined when it may.
 */
export const onlyOwners = <Type extends ChannelType>(
  sender: Sender<Type>,
  refusalOf: (slug: string, channel: OpenedChannel<Type>) => string | undefined,
): Sender<Type> => ({
  ...sender,
  async send(message: OutgoingMessage, channel, progress) {
    const error = refusalOf(message.tenant.slug, channel)
    return error === undefined ? sender.send(message, channel, progress) : { kind: 'refused', by: 'service', error }
  },
})

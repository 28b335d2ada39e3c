import type { ChannelType } from '../../../shared/messages/channels/schema.ts'
import type { Sender } from '../../../shared/messages/deliveries/service.ts'

/** A sender that is loaded with its first message: the function that tests channels has the sender of every type. */
export function lazySender<Type extends ChannelType>(load: () => Promise<Sender<Type>>): Sender<Type> {
  let loading: Promise<Sender<Type>> | undefined
  return {
    async send(message, channel) {
      const sender = await (loading ??= load())
      return sender.send(message, channel)
    },
  }
}

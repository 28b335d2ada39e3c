import type { ChannelType } from '../../../shared/messages/channels/schema.ts'
import type { Sender } from '../../../shared/messages/deliveries/sender.ts'
import type { CreateSender } from '../../../shared/messages/senders/sender-context.ts'
import { senderContext } from './sender-context.ts'

const senders = new Map<ChannelType, Sender>()

/** The sender of a type of channel, loaded when it is first needed: a function that has all of them starts sooner. */
export async function loadSender(type: ChannelType): Promise<Sender> {
  const known = senders.get(type)
  if (known) return known
  // The bundler puts every file of the folder into the bundle.
  const { createSender } = (await import(`../../../shared/messages/senders/types/${type}.ts`)) as {
    readonly createSender: CreateSender
  }
  const sender = createSender(senderContext)
  senders.set(type, sender)
  return sender
}

import { environment } from '../../../shared/kernel/runtime/environment.ts'
import { clock } from '../../../shared/kernel/time/clock.ts'
import type { ChannelType } from '../../../shared/messages/channels/schema.ts'
import type { Sender } from '../../../shared/messages/deliveries/sender.ts'
import { botApiLimits } from '../../../shared/messages/messenger/bot-api.ts'
import { unlinkChat } from '../../../shared/messages/messenger/link-chat.ts'
import type { CreateSender, SenderContext } from '../../../shared/messages/senders/sender-context.ts'
import { store } from '../platform/store.ts'
import { callBot } from './bot-api.ts'

/** What senders are made with. */
export const senderContext: SenderContext = {
  clock,
  environment: environment(),
  loopbackAllowed: environment().LOOPBACK_TARGETS === 'allowed',
  callBot,
  botTimeoutMs: botApiLimits.timeoutMs,
  unlinkChat: (tenant, chatId) => unlinkChat({ store, clock }, tenant, chatId),
}

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

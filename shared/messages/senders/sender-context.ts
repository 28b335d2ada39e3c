import type { environment } from '../../kernel/runtime/environment.ts'
import type { TenantRef } from '../../kernel/tenancy.ts'
import type { Clock } from '../../kernel/time/clock.ts'
import type { ChannelType } from '../channels/channel-types.ts'
import type { OpenedChannel } from '../channels/channel.ts'
import type { Sender } from '../deliveries/sender.ts'
import type { CallBot } from '../messenger/bot-api.ts'

/**
 * What the sender of any type of channel is made with. What reaches the store is passed in: senders are loaded with their
 * first message, and the bundler keeps all of a package that such code imports.
 */
export interface SenderContext {
  readonly clock: Clock
  readonly environment: ReturnType<typeof environment>
  /** Whether receivers may be on this machine. */
  readonly loopbackAllowed: boolean
  readonly callBot: CallBot
  readonly botTimeoutMs: number
  /** Finds an access token for a channel of mails that signs in at a provider. */
  readonly mailToken: FindMailToken
  /** Ends the link of a user with a chat that takes no more messages. */
  readonly unlinkChat: (tenant: TenantRef, chatId: string) => Promise<unknown>
}

/** Answers an access token for a channel, or why there is none; `fresh`: not one that was used before. */
export type FindMailToken = (
  tenant: TenantRef,
  channel: OpenedChannel<'email'>,
  options: { readonly fresh: boolean },
) => Promise<{ readonly token: string } | { readonly problem: string }>

/** What each file in `types/` exports as `createSender`. */
export type CreateSender<Type extends ChannelType = ChannelType> = (context: SenderContext) => Sender<Type>

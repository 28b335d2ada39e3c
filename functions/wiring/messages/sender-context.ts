import { environment } from '../../../shared/kernel/runtime/environment.ts'
import { clock } from '../../../shared/kernel/time/clock.ts'
import { botApiLimits } from '../../../shared/messages/messenger/bot-api.ts'
import { unlinkChat } from '../../../shared/messages/messenger/link-chat.ts'
import type { SenderContext } from '../../../shared/messages/senders/sender-context.ts'
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

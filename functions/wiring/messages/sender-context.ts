import { environment } from '../../../shared/kernel/runtime/environment.ts'
import { clock } from '../../../shared/kernel/time/clock.ts'
import { botApiLimits } from '../../../shared/messages/messenger/bot-api.ts'
import { unlinkChat } from '../../../shared/messages/messenger/link-chat.ts'
import type { SenderContext } from '../../../shared/messages/senders/sender-context.ts'
import { store } from '../platform/store.ts'
import { callBot } from './bot-api.ts'
import { mailToken } from './mail-token.ts'

const loopbackAllowed = environment().LOOPBACK_TARGETS === 'allowed'

/** What senders are made with. */
export const senderContext: SenderContext = {
  clock,
  environment: environment(),
  loopbackAllowed,
  callBot,
  botTimeoutMs: botApiLimits.timeoutMs,
  mailToken,
  unlinkChat: (tenant, chatId) => unlinkChat({ store, clock }, tenant, chatId),
}

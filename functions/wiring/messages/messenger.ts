import { clock } from '../../../shared/kernel/clock.ts'
import { unlinkChat } from '../../../shared/messages/messenger/service.ts'
import { messengerSender } from '../../../shared/messages/senders/service.ts'
import { store } from '../store.ts'
import { callBot } from './bot-api.ts'

/** Sends texts to chats, and unlinks those that take no more. */
export const messenger = messengerSender({
  clock,
  callBot,
  unlinkChat: (tenant, chatId) => unlinkChat({ store, clock }, tenant, chatId),
})

import { messengerSender } from '../messenger/messenger.ts'
import type { CreateSender } from '../sender-context.ts'

/** Sends texts to chats, and unlinks those that take no more. */
export const createSender: CreateSender<'messenger'> = messengerSender

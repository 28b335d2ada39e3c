import * as z from 'zod'
import { channel, chatId } from '../arguments.ts'
import type { MessageMethod } from './message-method.ts'

export const replyMessenger = {
  name: 'replyMessenger',
  declaration: `replyMessenger(chatId: number | string, text: string, channel?: number | null): null`,
  schema: z.object({ chat_id: chatId, text: z.string(), channel }),
} as const satisfies MessageMethod

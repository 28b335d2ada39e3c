import * as z from 'zod'
import { userIds } from '../arguments.ts'
import type { MessageMethod } from './message-method.ts'

export const sendPushNotification = {
  name: 'sendPushNotification',
  declaration: `sendPushNotification(title: string, text: string, url: string | null, userIds: number[], category?: 'system' | 'message'): null
  sendPushNotification(title: string, text: string, userIds: number[], category?: 'system' | 'message'): null`,
  schema: z.object({
    title: z.string(),
    text: z.string(),
    url: z.string().nullish(),
    user_ids: userIds,
    category: z.enum(['system', 'message']).nullish(),
  }),
  // `url` is optional and in the middle: `sendPushNotification(title, text, [3, 4])` omits it.
  arrange: (args: readonly unknown[]) => (Array.isArray(args[2]) ? [args[0], args[1], null, ...args.slice(2)] : args),
} as const satisfies MessageMethod

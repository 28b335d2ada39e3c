import * as z from 'zod'
import { channel, userIds } from '../arguments.ts'
import type { MessageMethod } from './message-method.ts'

export const sendMessenger = {
  name: 'sendMessenger',
  declaration: `sendMessenger(text: string, userIds: number[], channel?: number | string | null): null`,
  schema: z.object({ text: z.string(), user_ids: userIds, channel }),
} as const satisfies MessageMethod

import * as z from 'zod'
import type { MessageMethod } from './message-method.ts'

export const sendToChannel = {
  name: 'sendToChannel',
  declaration: `sendToChannel(channel: number, message: { recipients: (string | number)[]; body: string }): null`,
  schema: z.object({
    channel: z.int(),
    message: z.object({ recipients: z.array(z.union([z.string(), z.int().transform(String)])), body: z.string() }),
  }),
} as const satisfies MessageMethod

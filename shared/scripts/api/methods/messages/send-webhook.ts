import * as z from 'zod'
import { channel } from '../arguments.ts'
import type { MessageMethod } from './message-method.ts'

export const sendWebhook = {
  name: 'sendWebhook',
  declaration: `sendWebhook(payload: Json, channel?: number | string | null): boolean`,
  schema: z.object({ payload: z.json(), channel }),
  answersWhether: true,
} as const satisfies MessageMethod

import * as z from 'zod'
import { channel } from '../arguments.ts'
import type { MessageMethod } from './message-method.ts'

const numbers = z.union([
  z.string().transform((one) => [one]),
  z.int().transform((one) => [String(one)]),
  z.array(z.union([z.string(), z.int().transform(String)])),
])

export const sendSms = {
  name: 'sendSms',
  declaration: `sendSms(numbers: string | string[], text: string, channel?: number | string | null): boolean`,
  schema: z.object({ numbers, text: z.string(), channel }),
  answersWhether: true,
} as const satisfies MessageMethod

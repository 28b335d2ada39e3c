import * as z from 'zod'
import { channel } from '../arguments.ts'
import type { MessageMethod } from './message-method.ts'

export const sendEmail = {
  name: 'sendEmail',
  declaration: `sendEmail(templateCode: string, to: string, params?: { [name: string]: Json }, channel?: number | string | null): null`,
  schema: z.object({ template: z.string(), to: z.string(), params: z.record(z.string(), z.json()).nullish(), channel }),
} as const satisfies MessageMethod

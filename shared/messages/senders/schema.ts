import * as z from 'zod'
import { isMailAddress } from '../../platform/mail/mail-address.ts'
import { DeliveryHead } from '../deliveries/schema.ts'

export const TestMail = z.strictObject({
  to: z
    .string()
    .trim()
    .refine(isMailAddress, { error: 'The to must be a valid email address.' })
    .meta({ format: 'email', description: 'One address.' }),
})

export const TestMailResult = z.object({
  delivery_id: z.int().meta({ description: 'The delivery; `GET /api/sys/deliveries/{id}` has its attempts.' }),
  status: DeliveryHead.shape.status,
  error: z
    .string()
    .nullable()
    .meta({ description: 'What went wrong, and what to do; null when the mail was accepted.' }),
})
export type TestMailResult = z.output<typeof TestMailResult>

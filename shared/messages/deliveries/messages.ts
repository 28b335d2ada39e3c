import * as z from 'zod'
import { MessageVersion } from '../../platform/queue/message-version.ts'

/** A message that wakes a delivery, whose row has its state. */
export const DeliveryWake = z.object({ v: MessageVersion, tenant_id: z.int(), delivery_id: z.int() })

export type DeliveryWake = z.output<typeof DeliveryWake>

/** A message that asks to expand an intent. */
export const ExpansionRequest = z.object({ v: MessageVersion, tenant_id: z.int(), intent: z.string() })

export type ExpansionRequest = z.output<typeof ExpansionRequest>

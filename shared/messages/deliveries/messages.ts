import * as z from 'zod'

/** A message that wakes a delivery, whose row has its state. */
export const DeliveryWake = z.object({ v: z.literal(1), tenant_id: z.int(), delivery_id: z.int() })
export type DeliveryWake = z.output<typeof DeliveryWake>

/** A message that asks to expand an intent. */
export const ExpansionRequest = z.object({ v: z.literal(1), tenant_id: z.int(), intent: z.string() })
export type ExpansionRequest = z.output<typeof ExpansionRequest>

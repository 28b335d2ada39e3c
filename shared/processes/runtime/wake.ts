import * as z from 'zod'

/** An instance has something to do: its rows are the truth, and a message that comes twice finds nothing the second time. */
export const ProcessWake = z.object({ v: z.literal(1), tenant_id: z.int(), instance_id: z.int() })
export type ProcessWake = z.output<typeof ProcessWake>

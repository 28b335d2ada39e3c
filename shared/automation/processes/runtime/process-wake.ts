import * as z from 'zod'

/**
 * The queue message that has the runner advance an instance. Idempotent: the instance's rows say what there is to do.
 */
export const ProcessWake = z.object({ v: z.literal(1), tenant_id: z.int(), instance_id: z.int() })
export type ProcessWake = z.output<typeof ProcessWake>

import * as z from 'zod'
import { MessageVersion } from '../../../platform/queue/message-version.ts'

/**
 * The queue message that has the runner advance an instance. Idempotent: the instance's rows say what there is to do.
 */
export const ProcessWake = z.object({ v: MessageVersion, tenant_id: z.int(), instance_id: z.int() })

export type ProcessWake = z.output<typeof ProcessWake>

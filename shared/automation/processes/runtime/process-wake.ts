import * as z from 'zod'
import { MessageVersion } from '../../../platform/queue/message-version.ts'
import type { DueWork } from '../../../platform/store/due/due-work.ts'
import { parseProcessDue, processDuePartitions } from '../../../platform/store/keys/processes.ts'

/**
 * The queue message that has the runner advance an instance. Idempotent: the instance's rows say what there is to do.
 */
export const ProcessWake = z.object({ v: MessageVersion, tenant_id: z.int(), instance_id: z.int() })

export type ProcessWake = z.output<typeof ProcessWake>

/** Instances with a timer or an unfinished command. */
export const dueProcesses: DueWork<ProcessWake> = {
  kind: 'processes',
  partitions: processDuePartitions,
  wakeOf(sort) {
    const due = parseProcessDue(sort)
    return due && { v: 1, tenant_id: due.tenant.id, instance_id: due.instanceId }
  },
}

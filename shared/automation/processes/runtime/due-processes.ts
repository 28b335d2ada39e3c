import type { DueWork } from '../../../platform/store/due/due-work.ts'
import { parseProcessDue, processDuePartitions } from '../../../platform/store/keys/processes.ts'
import type { ProcessWake } from './process-wake.ts'

/** Instances with a timer or an unfinished command. */
export const dueProcesses: DueWork<ProcessWake> = {
  kind: 'processes',
  partitions: processDuePartitions,
  wakeOf(sort) {
    const due = parseProcessDue(sort)
    return due && { v: 1, tenant_id: due.tenant.id, instance_id: due.instanceId }
  },
}

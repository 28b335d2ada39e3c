import type { AdvanceDependencies, ProcessWake } from '../../../shared/automation/processes/service.ts'
import { clock } from '../../../shared/kernel/clock.ts'
import { environment } from '../../../shared/kernel/environment.ts'
import { requireEnvironment } from '../../../shared/kernel/require-environment.ts'
import { config } from '../config.ts'
import { lazyObjects } from '../lazy-objects.ts'
import { recordWrites } from '../records/record-writes.ts'
import { send } from '../send.ts'
import { store } from '../store.ts'
import { tables } from '../tables.ts'
import { openProcess } from './open-process.ts'

const queueUrl = requireEnvironment('PROCESSES_QUEUE_URL')

/** The dependencies of advancing a process instance. */
export const processes: AdvanceDependencies = {
  store,
  clock,
  config,
  tables,
  records: recordWrites,
  openScripts: recordWrites.openScripts,
  openProcess,
  leaseMs: environment().PROCESS_LEASE_MS,
  objects: lazyObjects,
  wakeLater: async (tenant, instanceId, delaySeconds) => {
    const wake: ProcessWake = { v: 1, tenant_id: tenant.id, instance_id: instanceId }
    const refused = await send(queueUrl, [wake], { delaySeconds })
    if (refused.length > 0) throw new Error(refused[0]?.reason)
  },
}

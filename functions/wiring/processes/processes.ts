import type { AdvanceDependencies } from '../../../shared/automation/processes/dependencies.ts'
import type { ProcessWake } from '../../../shared/automation/processes/runtime/process-wake.ts'
import { environment } from '../../../shared/kernel/runtime/environment.ts'
import { requireEnvironment } from '../../../shared/kernel/runtime/require-environment.ts'
import { clock } from '../../../shared/kernel/time/clock.ts'
import { config } from '../platform/config.ts'
import { lazyObjects } from '../platform/lazy-objects.ts'
import { send } from '../platform/send.ts'
import { store } from '../platform/store.ts'
import { recordWrites } from '../records/record-writes.ts'
import { tables } from '../tables/tables.ts'
import { timeZone } from '../time-zone.ts'
import { decide } from './decisions.ts'
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
  decide,
  timeZone,
  leaseMs: environment().PROCESS_LEASE_MS,
  objects: lazyObjects,
  wakeLater: async (tenant, instanceId, delaySeconds) => {
    const wake: ProcessWake = { v: 1, tenant_id: tenant.id, instance_id: instanceId }
    const refused = await send(queueUrl, [wake], { delaySeconds })
    if (refused.length > 0) throw new Error(refused[0]?.reason)
  },
}

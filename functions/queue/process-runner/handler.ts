import { findTenantOfMessage } from '../../../shared/accounts/tenants/find-tenant.ts'
import { continueInstance } from '../../../shared/automation/processes/runtime/advance-instance.ts'
import { pauseInstance } from '../../../shared/automation/processes/runtime/pause-instance.ts'
import { ProcessWake } from '../../../shared/automation/processes/runtime/process-wake.ts'
import { onQueue } from '../../../shared/platform/queue/on-queue.ts'
import { store } from '../../wiring/platform/store.ts'
import { processes } from '../../wiring/processes/processes.ts'

/** Advances a process instance that has a due timer or a command. Those of a deleted tenant pause. */
export const handler = onQueue(ProcessWake, async ({ tenant_id, instance_id }) => {
  const tenant = await findTenantOfMessage(store, tenant_id)
  if (!tenant) return
  await (tenant.deleteAt === undefined
    ? continueInstance(processes, tenant, instance_id)
    : pauseInstance(processes, tenant, instance_id))
})

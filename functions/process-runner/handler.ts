import { findTenant } from '../../shared/auth/service.ts'
import { advanceInstance, ProcessWake } from '../../shared/processes/service.ts'
import { onQueue } from '../../shared/queue/on-queue.ts'
import { processes } from '../wiring/processes.ts'
import { store } from '../wiring/store.ts'

/** Advances a process instance that has a due timer or a command. */
export const handler = onQueue(ProcessWake, async ({ tenant_id, instance_id }) => {
  const tenant = await findTenant(store, tenant_id)
  if (!tenant) throw new Error(`there is no tenant ${tenant_id}`)
  await advanceInstance(processes, tenant, instance_id)
})

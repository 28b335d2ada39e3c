import { Conflict } from '../../../kernel/failures/faults.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import { instanceKey } from '../../../platform/store/keys/processes.ts'
import type { Store } from '../../../platform/store/store.ts'
import { type Instance, readInstanceHead } from '../rows/instance-row.ts'

/** The Conflict for an instance that has ended. */
export const endedAlready = ({ status, endedAt }: Pick<Instance, 'status' | 'endedAt'>): Conflict =>
  new Conflict('instance_ended', `The process instance has ended already: it was ${status} at ${endedAt}.`)

/** The Conflict for what a suspended instance does not do. */
export const isSuspended = (id: number, what: string): Conflict =>
  new Conflict(
    'instance_suspended',
    `The process instance ${id} is suspended, so ${what} until an administrator resumes it.`,
  )

/** Throws Conflict while the instance of a task is suspended. */
export async function requireNotSuspended(
  store: Pick<Store, 'get'>,
  tenant: TenantRef,
  instanceId: number,
): Promise<void> {
  const item = await store.get(tenant, instanceKey(tenant, instanceId))
  if (item !== undefined && readInstanceHead(item).status === 'suspended')
    throw isSuspended(instanceId, 'its tasks cannot be completed')
}

import type { TenantRef } from '../../kernel/tenancy.ts'
import { instancesByStatusPartition, instancesOfTemplatePartition } from '../../store/keys/processes.ts'
import { instanceSlots, slotName } from '../../store/slots.ts'
import type { Store } from '../../store/store.ts'
import { scanIds } from '../instances/list-rows.ts'

const keysPerQuery = 1000

/** Whether an instance of the template has not ended. Compares the keys of two indexes, so it reads no instance. */
export async function hasRunningInstances(
  store: Pick<Store, 'query'>,
  tenant: TenantRef,
  templateId: number,
): Promise<boolean> {
  const running = new Set<number>()
  const open = ['running', 'incident'].map((status) => ({
    pk: instancesByStatusPartition(tenant, status),
    index: slotName(instanceSlots.byStatus),
  }))
  for await (const ids of scanIds(store, tenant, open, undefined, keysPerQuery)) for (const id of ids) running.add(id)
  if (running.size === 0) return false
  const own = { pk: instancesOfTemplatePartition(tenant, templateId), index: slotName(instanceSlots.ofTemplate) }
  for await (const ids of scanIds(store, tenant, [own], undefined, keysPerQuery))
    if (ids.some((id) => running.has(id))) return true
  return false
}

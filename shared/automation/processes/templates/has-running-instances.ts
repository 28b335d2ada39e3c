import type { TenantRef } from '../../../kernel/tenancy.ts'
import { scanIds } from '../../../platform/listing/scan-ids.ts'
import { instancePartitions } from '../../../platform/store/keys/processes.ts'
import { instanceSlots, slotName } from '../../../platform/store/slots.ts'
import type { Store } from '../../../platform/store/store.ts'

/** Keys read at once: most calls end at the first of them. */
const wanted = 1000

/** Whether an instance of the template has not ended. Compares the keys of two indexes, so it reads no instance. */
export async function hasRunningInstances(
  store: Pick<Store, 'query'>,
  tenant: TenantRef,
  templateId: number,
): Promise<boolean> {
  const running = new Set<number>()
  const open = ['running', 'incident', 'suspended'].flatMap((status) => instancePartitions(tenant, { status }))
  const byStatus = open.map((pk) => ({ pk, index: slotName(instanceSlots.byStatus) }))
  for await (const ids of scanIds(store, tenant, byStatus, { wanted })) for (const id of ids) running.add(id)
  if (running.size === 0) return false
  const own = instancePartitions(tenant, { templateId })
  const ofTemplate = own.map((pk) => ({ pk, index: slotName(instanceSlots.ofTemplate) }))
  for await (const ids of scanIds(store, tenant, ofTemplate, { wanted }))
    if (ids.some((id) => running.has(id))) return true
  return false
}

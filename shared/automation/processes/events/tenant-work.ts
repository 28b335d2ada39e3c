import type { Tenant } from '../../../kernel/tenancy.ts'
import { commandRowsPrefix, instanceRowsPartition, tenantWorkId } from '../../../platform/store/keys/processes.ts'
import { readPages } from '../../../platform/store/ranges/read-all.ts'
import type { AdvanceDependencies } from '../dependencies.ts'
import { broadcastSignal } from './send-signal.ts'

/** Does the work of a tenant that belongs to no instance, until `endsAt`. False: some is left. */
export async function doTenantWork(services: AdvanceDependencies, tenant: Tenant, endsAt: number): Promise<boolean> {
  const range = { pk: instanceRowsPartition(tenant, tenantWorkId), prefix: commandRowsPrefix, limit: 20 }
  for await (const { items } of readPages(services.store, tenant, range))
    for (const item of items) {
      if (services.clock.now() > endsAt) return false
      if (item.kind === 'process_command' && !(await broadcastSignal(services, tenant, item, endsAt))) return false
    }
  return true
}

import type { Tenant } from '../../../kernel/tenancy.ts'
import { keyOfItem } from '../../../platform/store/keys/key.ts'
import { commandsPrefix, instanceRowsPartition, tenantWorkId } from '../../../platform/store/keys/processes.ts'
import { readPages } from '../../../platform/store/ranges/read-all.ts'
import { readJson } from '../../../platform/store/values/json-attribute.ts'
import type { AdvanceDependencies } from '../dependencies.ts'
import type { ProcessCommand } from '../rows/command-rows.ts'
import { fireStartTimers, wakeFor } from './fire-start-timers.ts'
import { broadcastSignal } from './send-signal.ts'

/** Does the work of a tenant that belongs to no instance, until `endsAt`. False: some is left. */
export async function doTenantWork(services: AdvanceDependencies, tenant: Tenant, endsAt: number): Promise<boolean> {
  const { store, clock } = services
  if (!(await fireStartTimers(services, tenant, endsAt))) return false
  const range = { pk: instanceRowsPartition(tenant, tenantWorkId), prefix: commandsPrefix, limit: 20 }
  for await (const { items } of readPages(store, tenant, range))
    for (const item of items) {
      if (clock.now() > endsAt) return false
      const command = readJson<ProcessCommand>(item, 'command')
      if (command.kind === 'wake') {
        await wakeFor(services, tenant, command.dueTimes)
        await store.write(tenant, { remove: keyOfItem(item) })
      } else if (!(await broadcastSignal(services, tenant, item, endsAt))) return false
    }
  return true
}

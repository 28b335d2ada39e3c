import { Conflict } from '../../../kernel/failures/faults.ts'
import type { PrincipalRef } from '../../../kernel/principal.ts'
import { log } from '../../../kernel/runtime/log.ts'
import type { Tenant } from '../../../kernel/tenancy.ts'
import { keyOfItem } from '../../../platform/store/keys/key.ts'
import { commandsPrefix, instanceRowsPartition, tenantWorkId } from '../../../platform/store/keys/processes.ts'
import { readPages } from '../../../platform/store/ranges/read-all.ts'
import { readJson } from '../../../platform/store/values/json-attribute.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import type { AdvanceDependencies } from '../dependencies.ts'
import type { ProcessCommand } from '../rows/command-rows.ts'
import { deliverMessage, messageIdOf } from './deliver-message.ts'
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
      } else if (command.kind === 'send') await sendMessageOfRule(services, tenant, item, command)
      else if (!(await broadcastSignal(services, tenant, item, endsAt))) return false
    }
  return true
}

/** How long a message of a rule waits for a receiver, as those of the API do unless they say otherwise. */
const ttlSeconds = 3600

/** Delivers a message of a rule; a repeat after a crash delivers it once. */
async function sendMessageOfRule(
  services: AdvanceDependencies,
  tenant: Tenant,
  item: Item,
  { message: { id, ...message }, hops }: Extract<ProcessCommand, { kind: 'send' }>,
): Promise<void> {
  const messageId = messageIdOf('rule', id)
  const by = readJson<PrincipalRef>(item, 'by')
  try {
    await deliverMessage(services, tenant, {
      key: undefined,
      ...message,
      messageId,
      ttlSeconds,
      by,
      hops,
      wakesRunner: true,
    })
  } catch (error) {
    // More instances wait for its key than a message reaches: a repeat would fail as well.
    if (!(error instanceof Conflict)) throw error
    log.warn('a message of a rule reaches no process', {
      tenant_id: tenant.id,
      name: message.name,
      reason: error.message,
    })
  }
  await services.store.write(tenant, { remove: keyOfItem(item) })
}

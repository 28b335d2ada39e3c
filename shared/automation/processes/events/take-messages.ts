import type { Tenant } from '../../../kernel/tenancy.ts'
import { keptMessagePrefix, messagesPartition } from '../../../platform/store/keys/processes.ts'
import { readPages } from '../../../platform/store/ranges/read-all.ts'
import { exists } from '../../../platform/store/writes/conditions.ts'
import { wasApplied } from '../../../platform/store/writes/refusals.ts'
import type { ProcessDependencies } from '../dependencies.ts'
import { commandItem } from '../rows/command-rows.ts'
import { correlationKeyOfWait, type EventWait, eventWaitKey, readKeptMessage } from '../rows/event-rows.ts'
import type { Instance } from '../rows/instance-row.ts'

/** Gives waits that have begun the messages that came before: the oldest with their key, or without one. */
export async function takeMessages(
  services: Pick<ProcessDependencies, 'store' | 'clock'>,
  tenant: Tenant,
  instance: Pick<Instance, 'id' | 'model' | 'recordId' | 'waits'>,
  executionIds: readonly string[],
): Promise<void> {
  const waits = instance.waits.filter(
    (wait): wait is EventWait =>
      wait.kind === 'event' && wait.on === 'message' && executionIds.includes(wait.executionId),
  )
  for (const wait of waits)
    for (const prefix of [keptMessagePrefix(correlationKeyOfWait(instance, wait)), keptMessagePrefix(undefined)])
      if (await takeOldest(services, tenant, instance, wait, prefix)) break
}

/** False: there is none that another wait has not taken. */
async function takeOldest(
  { store, clock }: Pick<ProcessDependencies, 'store' | 'clock'>,
  tenant: Tenant,
  instance: Pick<Instance, 'id' | 'model' | 'recordId'>,
  wait: EventWait,
  prefix: string,
): Promise<boolean> {
  const { name = '', executionId } = wait
  const key = correlationKeyOfWait(instance, wait)
  for await (const { items } of readPages(store, tenant, { pk: messagesPartition(tenant, name), prefix }))
    for (const kept of items.map(readKeptMessage)) {
      const nowMs = clock.now()
      if (kept.expiresAtMs <= nowMs) continue
      const command = {
        kind: 'event',
        executionId,
        variables: kept.variables,
        ...(kept.isInternal && { isInternal: true as const }),
        hops: kept.hops,
        message: { name, key, expiresAtMs: kept.expiresAtMs },
      } as const
      const isTaken = await wasApplied(
        store.transact(
          tenant,
          [
            { remove: kept.key, if: exists },
            { remove: eventWaitKey(tenant, instance, wait), if: exists },
            { put: commandItem(tenant, instance.id, command, kept.by, { nowMs, uuid: clock.uuid() }) },
          ],
          clock.uuid(),
        ),
      )
      // When the wait has ended, the next message is refused as well.
      if (isTaken) return true
    }
  return false
}

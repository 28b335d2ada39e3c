import type { TenantRef } from '../../kernel/tenancy.ts'
import type { DueWork } from '../../platform/store/due/due-work.ts'
import { type TakeDependencies, takeDue } from '../../platform/store/due/take-due.ts'
import {
  deliveryDuePartitions,
  intentDuePartitions,
  parseDeliveryDue,
  parseIntentDue,
} from '../../platform/store/keys/messages/deliveries.ts'
import { dueSlot, slotSort } from '../../platform/store/slots.ts'
import type { ChannelType } from '../channels/channel-types.ts'
import type { ExpansionRequest } from './messages.ts'
import type { ChannelRef, WakeDeliveries } from './wake.ts'

/** A delivery that is due, and how long until then. */
interface DueDelivery {
  readonly tenant: TenantRef
  readonly channel: ChannelRef
  readonly id: number
  readonly delayMs: number
}

/** Intents that the change feed did not bring to their expansion. */
export const dueIntents: DueWork<ExpansionRequest> = {
  kind: 'intents',
  partitions: intentDuePartitions,
  wakeOf(sort) {
    const due = parseIntentDue(sort)
    return due && { v: 1, tenant_id: due.tenant.id, intent: due.uuid }
  },
}

/**
 * Takes deliveries of any tenant that are due within `withinMs`, at most `limit` a shard: their next attempt is far off,
 * their wake-up was lost, or the lease of their attempt expired. Their attempts do not depend on the due time, and each
 * write of a delivery sets it anew.
 */
export async function findDueDeliveries(
  dependencies: TakeDependencies,
  limit: number,
  withinMs: number,
): Promise<DueDelivery[]> {
  const now = dependencies.clock.now()
  const due = await takeDue(dependencies, deliveryDuePartitions, limit, withinMs)
  return due.flatMap((item) => {
    const entry = parseDeliveryDue(slotSort(item, dueSlot))
    if (!entry) return []
    const { tenant, id, dueAt } = entry
    const channel = { id: entry.channel.id, type: entry.channel.type as ChannelType }
    return [{ tenant, id, channel, delayMs: Math.max(0, Date.parse(dueAt) - now) }]
  })
}

/** Wakes the deliveries that `findDueDeliveries` takes, each when it is due. Answers how many. */
export async function wakeDueDeliveries(
  services: TakeDependencies & { readonly wake: WakeDeliveries },
  limit: number,
  withinMs: number,
): Promise<number> {
  const due = await findDueDeliveries(services, limit, withinMs)
  const seconds = ({ delayMs }: DueDelivery): number => Math.ceil(delayMs / 1000)
  const groups = Map.groupBy(due, (one) => `${one.tenant.id} ${one.channel.id} ${seconds(one)}`)
  for (const some of groups.values()) {
    const [first] = some as [DueDelivery]
    await services.wake(
      first.tenant,
      first.channel,
      some.map(({ id }) => id),
      seconds(first) * 1000,
    )
  }
  return due.length
}

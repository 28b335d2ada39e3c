import type { ChannelType } from '../channels/service.ts'
import { type Clock, isoTime } from '../kernel/clock.ts'
import type { TenantRef } from '../kernel/tenancy.ts'
import { dueItems } from '../store/due/due-items.ts'
import {
  deliveryDuePartitions,
  intentDuePartitions,
  parseDeliveryDue,
  parseIntentDue,
} from '../store/keys/deliveries.ts'
import { dueSlot, slotSort } from '../store/slots.ts'
import type { Store } from '../store/store.ts'
import type { ExpansionRequest } from './messages.ts'
import type { ChannelRef, WakeDeliveries } from './wake.ts'

interface Dependencies {
  readonly store: Pick<Store, 'query'>
  readonly clock: Pick<Clock, 'now'>
}

/** A delivery that is due, and how long until then. */
interface DueDelivery {
  readonly tenant: TenantRef
  readonly channel: ChannelRef
  readonly id: number
  readonly delayMs: number
}

/** Intents of any tenant that the change feed did not bring to their expansion, at most `limit` a shard. */
export async function findDueIntents({ store, clock }: Dependencies, limit: number): Promise<ExpansionRequest[]> {
  const due = await dueItems(store, intentDuePartitions, isoTime(clock.now()), limit)
  return due.flat().flatMap((item) => {
    const entry = parseIntentDue(slotSort(item, dueSlot))
    return entry ? [{ v: 1, tenant_id: entry.tenant.id, intent: entry.uuid } as const] : []
  })
}

/**
 * Deliveries of any tenant that are due within `withinMs`, at most `limit` a shard: their next attempt is far off, their
 * wake-up was lost, or the lease of their attempt expired.
 */
export async function findDueDeliveries(
  { store, clock }: Dependencies,
  limit: number,
  withinMs: number,
): Promise<DueDelivery[]> {
  const now = clock.now()
  const due = await dueItems(store, deliveryDuePartitions, isoTime(now + withinMs), limit)
  return due.flat().flatMap((item) => {
    const entry = parseDeliveryDue(slotSort(item, dueSlot))
    if (!entry) return []
    const { tenant, id, dueAt } = entry
    const channel = { id: entry.channel.id, type: entry.channel.type as ChannelType }
    return [{ tenant, id, channel, delayMs: Math.max(0, Date.parse(dueAt) - now) }]
  })
}

/** Wakes the deliveries of `findDueDeliveries`, each when it is due. Answers how many. */
export async function wakeDueDeliveries(
  deps: Dependencies & { readonly wake: WakeDeliveries },
  limit: number,
  withinMs: number,
): Promise<number> {
  const due = await findDueDeliveries(deps, limit, withinMs)
  const seconds = ({ delayMs }: DueDelivery): number => Math.ceil(delayMs / 1000)
  const groups = Map.groupBy(due, (one) => `${one.tenant.id} ${one.channel.id} ${seconds(one)}`)
  for (const some of groups.values()) {
    const [first] = some as [DueDelivery]
    await deps.wake(
      first.tenant,
      first.channel,
      some.map(({ id }) => id),
      seconds(first) * 1000,
    )
  }
  return due.length
}

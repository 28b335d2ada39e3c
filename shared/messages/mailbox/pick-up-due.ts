import type { TenantRef } from '../../kernel/tenancy.ts'
import { type Clock, isoTime } from '../../kernel/time/clock.ts'
import { dueItems } from '../../platform/store/due/due-items.ts'
import { mailboxDuePartitions, parseMailboxDue } from '../../platform/store/keys/messages/mailbox.ts'
import { dueSlot, slotSort, sortedAt } from '../../platform/store/slots.ts'
import type { Store } from '../../platform/store/store.ts'
import { wasApplied } from '../../platform/store/writes/refusals.ts'
import { changeMailbox } from './mailbox-row.ts'

/** Longer than a poll that was sent takes to begin. After that it is sent again. */
const sentAgainAfterMs = 5 * 60_000
const atOnce = 25

/** A mailbox of a tenant; 0 is the one of its settings. */
export interface DueMailbox {
  readonly tenant: TenantRef
  readonly id: number
}

/**
 * Mailboxes that are due, at most `limit` a shard, oldest first. Each is due again some minutes later, so that one
 * that hangs is not sent over and over, and one that is lost is sent again.
 */
export async function pickUpDueMailboxes(
  { store, clock }: { readonly store: Pick<Store, 'query' | 'write'>; readonly clock: Pick<Clock, 'now'> },
  limit: number,
): Promise<DueMailbox[]> {
  const nowMs = clock.now()
  const due = (await dueItems(store, mailboxDuePartitions, isoTime(nowMs), limit)).flat()
  const picked: DueMailbox[] = []
  for (let start = 0; start < due.length; start += atOnce) {
    const some = due.slice(start, start + atOnce).map(async (item) => {
      const sort = slotSort(item, dueSlot)
      const one = parseMailboxDue(sort)
      if (!one) return
      const { tenant, id } = one
      const moved = changeMailbox(tenant, id, { set: {}, dueMs: nowMs + sentAgainAfterMs }, sortedAt(dueSlot, sort))
      if (await wasApplied(store.write(tenant, moved))) picked.push(one)
    })
    await Promise.all(some)
  }
  return picked
}

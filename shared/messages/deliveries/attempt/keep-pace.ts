import type { TenantRef } from '../../../kernel/tenancy.ts'
import type { Clock } from '../../../kernel/time/clock.ts'
import type { Key } from '../../../platform/store/keys/key.ts'
import { paceKey } from '../../../platform/store/keys/messages/deliveries.ts'
import type { Store, Write } from '../../../platform/store/store.ts'
import { atRevision, isNew } from '../../../platform/store/writes/conditions.ts'
import { wasApplied } from '../../../platform/store/writes/refusals.ts'
import { paceItem, readPace } from '../rows/gate-row.ts'
import type { Delivery } from '../state/delivery.ts'
import { nothingSent, type Pace, type Sent, takeTurn, type Turn } from '../state/pace.ts'
import type { ChannelRef } from '../wake.ts'

/** How often a turn is asked for while others change the rows. */
const maxTries = 6
const busyPauseMs = 30
const busyWaitMs = 1000

/** An attempt that is later than this gives up its turn: many late ones together would exceed the limits. */
const latestMs = 250

/**
 * Waits for the turn of a delivery if it is near. Answers undefined when the delivery may be sent now, else until when it
 * waits. The turns of a channel and of its recipients are counted in two rows, in one transaction, so all instances share
 * them.
 */
export async function keepPace(
  services: { readonly store: Pick<Store, 'getMany' | 'transact'>; readonly clock: Clock },
  tenant: TenantRef,
  channel: ChannelRef,
  delivery: Pick<Delivery, 'id' | 'recipient'>,
  pace: Pace,
): Promise<number | undefined> {
  const { clock } = services
  for (let tries = 0; tries < maxTries; tries++) {
    const turn = await askForTurn(services, tenant, channel, delivery, pace)
    if (turn && 'waitUntilMs' in turn) return turn.waitUntilMs
    await clock.sleep(turn ? Math.max(0, turn.sendAtMs - clock.now()) : clock.random() * busyPauseMs)
    if (turn && clock.now() <= turn.sendAtMs + latestMs) return undefined
  }
  return clock.now() + busyWaitMs
}

/** Undefined when the turn of another delivery was counted meanwhile. */
async function askForTurn(
  { store, clock }: { readonly store: Pick<Store, 'getMany' | 'transact'>; readonly clock: Clock },
  tenant: TenantRef,
  channel: ChannelRef,
  { id, recipient }: Pick<Delivery, 'id' | 'recipient'>,
  pace: Pace,
): Promise<Turn | undefined> {
  const [ofChannel, ofRecipient] = [paceKey(tenant, channel), paceKey(tenant, channel, recipient)]
  const items = await store.getMany(tenant, [ofChannel, ofRecipient])
  const [before, beforeOfRecipient] = [readPace(items[0]), readPace(items[1])]
  const now = clock.now()
  const turn = takeTurn(before.sent, beforeOfRecipient.sent, pace, id, now)
  const put = (key: Key, rev: number, sent: Sent): Write => ({
    put: paceItem(key, { sent: { ...nothingSent, ...sent }, rev: rev + 1 }, now),
    if: rev === 0 ? isNew : atRevision(rev),
  })
  const writes = [
    ...(turn.channel ? [put(ofChannel, before.rev, turn.channel)] : []),
    put(ofRecipient, beforeOfRecipient.rev, turn.recipient),
  ]
  return (await wasApplied(store.transact(tenant, writes, clock.uuid()))) ? turn : undefined
}

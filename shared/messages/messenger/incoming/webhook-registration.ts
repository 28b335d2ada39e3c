import { Conflict } from '../../../kernel/failures/faults.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import type { Clock } from '../../../kernel/time/clock.ts'
import { botSecretKey, botWebhookKey } from '../../../platform/store/keys/messages/messenger.ts'
import { isFree } from '../../../platform/store/lease.ts'
import { deploymentWide, type Store, type Write } from '../../../platform/store/store.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import { commit } from '../../../platform/store/writes/commit.ts'
import { atRevision, isNew } from '../../../platform/store/writes/conditions.ts'
import { wasApplied } from '../../../platform/store/writes/refusals.ts'
import { botSecretItem, type CallingBot, hashOfSecret } from './bot-secret.ts'

export interface RegistrationDependencies {
  readonly store: Pick<Store, 'get' | 'transact'>
  readonly clock: Pick<Clock, 'now' | 'uuid' | 'bytes'>
}

/** The secrets that are valid for the webhook of a channel, by their hashes. More than one only around a registration. */
interface Registration {
  readonly hashes: readonly string[]
  readonly rev: number
  /** Until then a registration is in flight (Unix milliseconds). */
  readonly busyUntilMs: number
}

/** A call of the Bot API takes ten seconds at most. */
const leaseMs = 30_000
/** How many secrets stay valid when the Bot API never says whether it took one. */
const maxHashes = 4
const none: Registration = { hashes: [], rev: 0, busyUntilMs: 0 }

const readRegistration = (item: Item): Registration => ({
  hashes: item.hashes as string[],
  rev: Number(item.rev),
  busyUntilMs: Number(item.busy_until_ms),
})

const find = async ({ store }: Pick<RegistrationDependencies, 'store'>, tenant: TenantRef, channelId: number) => {
  const item = await store.get(tenant, botWebhookKey(tenant, channelId))
  return item ? readRegistration(item) : none
}

/** The write of a registration after another one. */
const put = (tenant: TenantRef, channelId: number, before: Registration, after: Omit<Registration, 'rev'>): Write => ({
  put: {
    ...botWebhookKey(tenant, channelId),
    kind: 'bot_webhook',
    v: 1,
    hashes: [...after.hashes],
    rev: before.rev + 1,
    busy_until_ms: after.busyUntilMs,
  },
  if: before.rev === 0 ? isNew : atRevision(before.rev),
})

const forget = (hashes: readonly string[]): Write[] => hashes.map((hash) => ({ remove: botSecretKey(hash) }))

/**
 * Makes a secret valid beside those that are, so that no update is refused while the Bot API changes over. Throws
 * Conflict while somebody else registers the same channel: of two at the same time nobody knows which the Bot API took.
 */
export async function beginRegistration(services: RegistrationDependencies, bot: CallingBot, secret: string) {
  const { store, clock } = services
  const { tenant, channelId } = bot
  const before = await find(services, tenant, channelId)
  const nowMs = clock.now()
  if (!isFree({ untilMs: before.busyUntilMs }, nowMs)) throw busy()
  const hash = hashOfSecret(secret)
  const dropped = before.hashes.slice(0, Math.max(0, before.hashes.length + 1 - maxHashes))
  const kept = before.hashes.slice(dropped.length)
  const begun = { hashes: [...kept, hash], busyUntilMs: nowMs + leaseMs }
  await commit(
    store,
    deploymentWide,
    [put(tenant, channelId, before, begun), botSecretItem(hash, bot), ...forget(dropped)],
    clock.uuid(),
    busy,
  )
  const current = { ...begun, rev: before.rev + 1 }

  /** Keeps some of the secrets; does nothing once somebody else has registered or removed the webhook. */
  const end = async (hashes: readonly string[], more: readonly Write[] = []): Promise<void> => {
    const others = current.hashes.filter((one) => !hashes.includes(one))
    const writes = [put(tenant, channelId, current, { hashes, busyUntilMs: 0 }), ...forget(others), ...more]
    await wasApplied(store.transact(deploymentWide, writes, clock.uuid()))
  }

  return {
    /**
     * The Bot API took the secret: it alone is valid. An update that comes with an older one is sent again with it.
     * `event` is stored with it.
     */
    taken: (event: Write) => end([hash], [event]),
    /** The Bot API refused: what was valid stays so. */
    refused: () => end(kept),
    /** Nobody knows: both are valid until the next registration. */
    uncertain: () => end(current.hashes),
  }
}

const busy = (): Conflict =>
  new Conflict('write_conflict', 'Somebody else registers this bot at the same time. Try again in half a minute.')

/** Ends the validity of every secret of a channel: calls with them are 401 from now on. */
export async function removeRegistration(
  services: RegistrationDependencies,
  tenant: TenantRef,
  channelId: number,
): Promise<void> {
  const { hashes, rev } = await find(services, tenant, channelId)
  if (rev === 0) return
  const writes = [{ remove: botWebhookKey(tenant, channelId), if: atRevision(rev) }, ...forget(hashes)]
  await commit(services.store, deploymentWide, writes, services.clock.uuid(), busy)
}

import { mayFail } from '../../../kernel/runtime/log.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import type { Clock } from '../../../kernel/time/clock.ts'
import { mailboxKey } from '../../../platform/store/keys/messages/mailbox.ts'
import { isFree, isHeldBy, isLeasedAs, leaseAttributes, tookLease } from '../../../platform/store/lease.ts'
import { wasApplied } from '../../../platform/store/writes/refusals.ts'
import type { PollDependencies } from '../dependencies.ts'
import { changeMailbox, readMailbox, type StoredMailbox } from '../mailbox-row.ts'

/** Renewed by each stored mail, and while a mail takes long: what a crash left behind is soon taken over. */
const leaseMs = 15_000
const renewEveryMs = 5_000
/** When the mailbox is due if the function dies: it may run so long. */
const diedDueMs = 150_000

/** A mailbox that this poll, and no other, may fetch. */
export interface HeldMailbox extends StoredMailbox {
  /** 0: the one of the settings. */
  readonly id: number
  readonly holder: string
}

type LeaseDependencies = Pick<PollDependencies, 'store' | 'clock'>

/**
 * Acquires the lease of a mailbox; undefined when another poll holds it. One that expired is the trace of a function
 * that died, and counts as a failed try of the next mail.
 */
export async function acquireLease(
  { store, clock }: LeaseDependencies,
  tenant: TenantRef,
  id: number,
): Promise<HeldMailbox | undefined> {
  const stored = readMailbox(await store.get(tenant, mailboxKey(tenant, id)))
  const { lease } = stored
  const nowMs = clock.now()
  if (!isFree(lease, nowMs)) return undefined
  const holder = clock.uuid()
  const tries = stored.tries + (lease ? 1 : 0)
  const write = changeMailbox(
    tenant,
    id,
    { set: { ...leaseAttributes({ holder, untilMs: nowMs + leaseMs }), tries }, dueMs: nowMs + diedDueMs },
    isLeasedAs(lease),
  )
  return (await tookLease(store.write(tenant, write), holder)) ? { ...stored, id, tries, holder } : undefined
}

/** The attribute of a renewed lease, for writes under it. */
export const renewed = ({ now }: Pick<Clock, 'now'>): { readonly lease_until: number } => ({
  lease_until: now() + leaseMs,
})

/** Renews the lease every few seconds, until the answered function is called. */
export function keepLease(
  { store, clock }: LeaseDependencies,
  tenant: TenantRef,
  { id, holder }: HeldMailbox,
): () => void {
  const renew = (): Promise<boolean> =>
    wasApplied(store.write(tenant, changeMailbox(tenant, id, { set: renewed(clock) }, isHeldBy(holder))))
  const timer = setInterval(() => void mayFail('renew the lease of a mailbox', renew), renewEveryMs)
  return () => clearInterval(timer)
}

/** Releases the lease and says when the mailbox is due again; null: never. Nothing happens when it was lost. */
export async function releaseLease(
  { store }: LeaseDependencies,
  tenant: TenantRef,
  { id, holder }: HeldMailbox,
  { set, dueMs }: Parameters<typeof changeMailbox>[2],
): Promise<void> {
  const released = { ...set, ...leaseAttributes(undefined) }
  await wasApplied(store.write(tenant, changeMailbox(tenant, id, { set: released, dueMs }, isHeldBy(holder))))
}

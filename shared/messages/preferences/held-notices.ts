import type { TenantRef } from '../../kernel/tenancy.ts'
import { nameUuid } from '../../kernel/text/name-uuid.ts'
import { type Clock, isoTime } from '../../kernel/time/clock.ts'
import { heldKey } from '../../platform/store/keys/messages/bell.ts'
import { intentDueKey, intentKey } from '../../platform/store/keys/messages/deliveries.ts'
import { dueSlot, dueTaken, setSlot } from '../../platform/store/slots.ts'
import type { Store, Write } from '../../platform/store/store.ts'
import type { Item } from '../../platform/store/values/marshal.ts'
import { and, equals, exists, isNew, lacks } from '../../platform/store/writes/conditions.ts'
import { wasApplied } from '../../platform/store/writes/refusals.ts'

/** In which ways notices are held back. */
export const heldTypes = ['email', 'messenger'] as const
export type HeldType = (typeof heldTypes)[number]

/** What waits of the notices of a user in one way: the batch that more are added to, and how many it has. */
export interface Held {
  readonly batch: number
  readonly count: number
}

/** Reads the row of what waits; nobody's has one before something waited. */
export const readHeld = (item: Item | null | undefined): Held =>
  item ? { batch: Number(item.batch_number), count: Number(item.waiting) } : { batch: 1, count: 0 }

/** The intent by which a batch leaves. */
export const batchUuid = (tenant: TenantRef, userId: number, type: HeldType, batch: number): string =>
  nameUuid(`held ${tenant.id} ${userId} ${type} ${batch}`)

/** Adds one to a batch, on condition that it is the one that more are added to. */
export const countHeld = (tenant: TenantRef, userId: number, type: HeldType, { batch, count }: Held): Write =>
  batch === 1 && count === 0
    ? {
        put: { ...heldKey(tenant, userId, type), kind: 'held', v: 1, user_id: userId, batch_number: batch, waiting: 1 },
        if: isNew,
      }
    : {
        update: heldKey(tenant, userId, type),
        change: { expression: 'SET waiting = :waiting', values: { ':waiting': count + 1 } },
        if: and(equals('batch_number', batch), equals('waiting', count)),
      }

/** Ends a batch: what comes later is added to the next one. Does nothing to one that has ended. */
export async function closeBatch(
  store: Pick<Store, 'write'>,
  tenant: TenantRef,
  userId: number,
  type: HeldType,
  batch: number,
): Promise<void> {
  await wasApplied(
    store.write(tenant, {
      update: heldKey(tenant, userId, type),
      change: {
        expression: 'SET batch_number = :next, waiting = :none',
        values: { ':next': batch + 1, ':none': 0 },
      },
      if: equals('batch_number', batch),
    }),
  )
}

/** Has the sweeper look at a batch at some time; one that has left stays so. */
export async function lookAt(
  store: Pick<Store, 'write'>,
  tenant: TenantRef,
  uuid: string,
  atMs: number,
): Promise<void> {
  const { pk, sk } = intentDueKey(isoTime(atMs), tenant, uuid)
  const due = setSlot(dueSlot, pk, sk)
  await wasApplied(
    store.write(tenant, {
      update: intentKey(tenant, uuid),
      change: { expression: `SET ${due.expression} REMOVE ${dueTaken}`, values: due.values },
      if: and(exists, lacks('is_expanded')),
    }),
  )
}

/** Has what waits of a user looked at again, because another rule may let it leave. */
export async function lookAgainAtHeld(
  { store, clock }: { readonly store: Pick<Store, 'get' | 'write'>; readonly clock: Pick<Clock, 'now'> },
  tenant: TenantRef,
  userId: number,
): Promise<void> {
  for (const type of heldTypes) {
    const { batch, count } = readHeld(await store.get(tenant, heldKey(tenant, userId, type)))
    if (count > 0) await lookAt(store, tenant, batchUuid(tenant, userId, type, batch), clock.now())
  }
}

import type { TenantRef } from '../../../kernel/tenancy.ts'
import type { Clock } from '../../../kernel/time/clock.ts'
import { mask } from '../../../platform/secrets/mask.ts'
import { attemptsPartition, deliveryKey, intentKey } from '../../../platform/store/keys/messages/deliveries.ts'
import { readPages } from '../../../platform/store/ranges/read-all.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import { exists } from '../../../platform/store/writes/conditions.ts'
import { wasApplied } from '../../../platform/store/writes/refusals.ts'
import { retryWithJitter } from '../../../platform/store/writes/retry-with-jitter.ts'
import { saveDelivery } from '../attempt/save-delivery.ts'
import { userOfRecipient } from '../expand/recipient.ts'
import { attemptItem, readAttempt } from '../rows/attempt-row.ts'
import { readDelivery } from '../rows/delivery-row.ts'
import { type Intent, readIntentRow, replacedInIntent } from '../rows/intent-row.ts'
import type { Delivery } from '../state/delivery.ts'
import { erase } from '../state/erase.ts'
import { erasedRecipient, isErasedRecipient } from '../state/erased-recipient.ts'
import { type ErasedPerson, isPerson } from './intents-to.ts'

export interface EraseDependencies extends EraseDeliveryDependencies {
  readonly objects: { remove(key: string): Promise<void> }
}

/**
 * Takes a person out of an intent and of its deliveries: the address, and what was sent unless others got it too.
 * Deliveries that wait are cancelled. Idempotent. Answers false while an expansion or an attempt in flight may still write
 * what it knows: then it is to be called again.
 */
export async function eraseIntent(
  services: EraseDependencies,
  tenant: TenantRef,
  person: ErasedPerson,
  uuid: string,
): Promise<boolean> {
  const item = await services.store.get(tenant, intentKey(tenant, uuid))
  if (!item) return true
  const intent = readIntentRow(item)
  const { recipients, channelType, firstId, isExpanded } = intent
  const places = [...recipients.keys()].filter((n) => isPerson(person, recipients[n] as string, channelType))
  if (places.length === 0) return true
  const instead = erasedRecipient(person.userId, channelType)
  await rewrite(services, tenant, item, intent, places, instead)
  let isSettled = isExpanded
  if (channelType === 'bell' || firstId === null) return isSettled
  for (const n of places) isSettled = (await eraseDelivery(services, tenant, firstId + n, uuid, instead)) && isSettled
  return isSettled
}

/** Writes the intent without the person; nothing when it is so already. Its other attributes are those of its expansion. */
async function rewrite(
  { store, objects }: EraseDependencies,
  tenant: TenantRef,
  item: Item,
  { uuid, recipients }: Intent,
  places: readonly number[],
  instead: string,
): Promise<void> {
  const named = recipients.map((one, n) => (places.includes(n) && userOfRecipient(one) === undefined ? instead : one))
  const isNobodys = named.every((one, n) => places.includes(n) || isErasedRecipient(one))
  const change = replacedInIntent(tenant, item, named, isNobodys)
  if (!change) return
  // The object first: the row does not find it any more.
  if (change.removedObject !== undefined) await objects.remove(change.removedObject)
  await wasApplied(store.write(tenant, { update: intentKey(tenant, uuid), change: change.change, if: exists }))
}

interface EraseDeliveryDependencies {
  readonly store: Store
  readonly clock: Clock
}

/**
 * Takes out of a delivery to an erased person where it went and what was said, also by the receiver; one that waits is
 * cancelled. Idempotent. Answers false while it is being sent.
 */
async function eraseDelivery(
  services: EraseDeliveryDependencies,
  tenant: TenantRef,
  id: number,
  intent: string,
  recipient: string,
): Promise<boolean> {
  const { store, clock } = services
  return retryWithJitter(clock, async (again) => {
    const item = await store.get(tenant, deliveryKey(tenant, id))
    const before = item && readDelivery(item)
    if (before?.intent !== intent) return true
    const after = erase(before, recipient, clock.now())
    if (!after) return false
    if (after === before) return true
    // The attempts first: the delivery shows that all is done.
    await eraseAttempts(store, tenant, before)
    if (!(await saveDelivery(services, tenant, before, after))) again(new Error('the delivery was changed meanwhile'))
    return true
  })
}

async function eraseAttempts(store: Store, tenant: TenantRef, delivery: Delivery): Promise<void> {
  const masked = (text: string | null): string | null => text && mask
  for await (const { items } of readPages(store, tenant, { pk: attemptsPartition(tenant, delivery.id) }))
    await store.putMany(
      tenant,
      items.map(readAttempt).map((attempt) =>
        attemptItem(tenant, delivery, {
          ...attempt,
          error: masked(attempt.error),
          excerpt: masked(attempt.excerpt),
        }),
      ),
    )
}

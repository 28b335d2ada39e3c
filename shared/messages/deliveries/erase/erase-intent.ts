import type { TenantRef } from '../../../kernel/tenancy.ts'
import { intentKey } from '../../../platform/store/keys/messages/deliveries.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import { exists } from '../../../platform/store/writes/conditions.ts'
import { wasApplied } from '../../../platform/store/writes/refusals.ts'
import { userOfRecipient } from '../expand/recipient.ts'
import { type Intent, readIntentRow, replacedInIntent } from '../rows/intent-row.ts'
import { erasedRecipient, isErasedRecipient } from '../state/erased-recipient.ts'
import { type EraseDeliveryDependencies, eraseDelivery } from './erase-delivery.ts'
import { type ErasedPerson, isPerson } from './is-person.ts'

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

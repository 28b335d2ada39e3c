import type { TenantRef } from '../../../kernel/tenancy.ts'
import { scanIds } from '../../../platform/listing/scan-ids.ts'
import { type Key, keyOfItem } from '../../../platform/store/keys/key.ts'
import {
  deliveryKey,
  deliveryPartitions,
  intentsToManyPartitions,
  intentsToPartition,
} from '../../../platform/store/keys/messages/deliveries.ts'
import { deliverySlots, personSlot, slotName } from '../../../platform/store/slots.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import { userOfRecipient, userRecipient } from '../expand/recipient.ts'
import { readDelivery } from '../rows/delivery-row.ts'
import { type Intent, readIntentHead } from '../rows/intent-row.ts'
import { erasedRecipient } from '../state/erased-recipient.ts'

const keysPerPage = 200
/** What tells to whom an intent goes. */
const head = ['pk', 'sk', 'kind', 'uuid', 'channel_type', 'recipients'] as const

/** Where the next page of the intents to a person begins: in which of its lists, behind which key. */
export interface IntentsPosition {
  readonly list: number
  readonly after?: Readonly<Record<string, string>>
}

/**
 * The intents to a person on one page of the person slot: of those with one recipient only the person's own, of those with
 * several the tenant's. `next`: where the next page begins. The index may lag behind writes of the last seconds.
 */
export async function intentsTo(
  store: Pick<Store, 'query' | 'getMany'>,
  tenant: TenantRef,
  person: ErasedPerson,
  { list, after }: IntentsPosition = { list: 0 },
): Promise<{ readonly uuids: readonly string[]; readonly next?: IntentsPosition }> {
  const lists = listsOf(tenant, person)
  const pk = lists[list]
  if (pk === undefined) return { uuids: [] }
  const { items, last } = await store.query(tenant, { pk, index: slotName(personSlot), limit: keysPerPage, after })
  const rows = await store.getMany(
    tenant,
    items.map((item): Key => keyOfItem(item)),
    head,
  )
  const next = last ? { list, after: last } : list + 1 < lists.length ? { list: list + 1 } : undefined
  return { uuids: rows.flatMap((row) => (row && intentTo(person, row)) ?? []), ...(next && { next }) }
}

function listsOf(tenant: TenantRef, { userId, email, chat }: ErasedPerson): readonly string[] {
  // The last two are what an erasure that was interrupted has put in their place.
  const names = [userRecipient(userId), email, chat, erasedRecipient(userId, 'email'), erasedRecipient(userId, 'other')]
  const own = names.flatMap((name) => (name === null ? [] : [intentsToPartition(tenant, name)]))
  return [...own, ...intentsToManyPartitions(tenant)]
}

const idsPerPage = 200
const waiting = ['queued', 'retrying', 'sending'] as const

/**
 * The intents of a page of the tenant's deliveries that have not ended and go to the person; `next`: where the next page
 * begins. An attempt must not wait until the rest is found.
 */
export async function waitingIntentsTo(
  store: Pick<Store, 'query' | 'getMany'>,
  tenant: TenantRef,
  person: ErasedPerson,
  before: number | undefined,
): Promise<{ readonly uuids: readonly string[]; readonly next?: number }> {
  const index = slotName(deliverySlots.byStatus)
  const sources = waiting.flatMap((status) => deliveryPartitions(tenant, { status })).map((pk) => ({ pk, index }))
  const page = await scanIds(store, tenant, sources, { after: before, wanted: idsPerPage }).next()
  const ids = page.done ? [] : page.value
  const items = await store.getMany(
    tenant,
    ids.map((id) => deliveryKey(tenant, id)),
  )
  const to = items
    .flatMap((item) => (item ? [readDelivery(item)] : []))
    .filter(({ recipient, channelType }) => isPerson(person, recipient, channelType))
  return { uuids: [...new Set(to.map(({ intent }) => intent))], ...(ids.length > 0 && { next: ids.at(-1) }) }
}

/** A person who was erased, with the mail address and the chat of then, where they are known. */
export interface ErasedPerson {
  readonly userId: number
  readonly email: string | null
  readonly chat: string | null
}

/** Whether a recipient is the person: by id, by address, or by what an earlier run put in its place. */
export function isPerson(
  { userId, email, chat }: ErasedPerson,
  recipient: string,
  type: Intent['channelType'],
): boolean {
  if (userOfRecipient(recipient) === userId || recipient === erasedRecipient(userId, type)) return true
  if (type === 'messenger') return chat !== null && recipient === chat
  return email !== null && recipient.trim().toLowerCase() === email.toLowerCase()
}

/** The uuid of the intent that an item is, when it goes, or went, to the person; else undefined. */
export function intentTo(person: ErasedPerson, item: Item): string | undefined {
  if (item.kind !== 'intent') return undefined
  const { uuid, recipients, channelType } = readIntentHead(item)
  return recipients.some((one) => isPerson(person, one, channelType)) ? uuid : undefined
}

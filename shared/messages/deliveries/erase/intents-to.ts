import type { TenantRef } from '../../../kernel/tenancy.ts'
import { type Key, keyOfItem } from '../../../platform/store/keys/key.ts'
import { intentsToManyPartitions, intentsToPartition } from '../../../platform/store/keys/messages/deliveries.ts'
import { personSlot, slotName } from '../../../platform/store/slots.ts'
import type { Store } from '../../../platform/store/store.ts'
import { userRecipient } from '../expand/recipient.ts'
import { erasedRecipient } from '../state/erased-recipient.ts'
import { type ErasedPerson, intentTo } from './is-person.ts'

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

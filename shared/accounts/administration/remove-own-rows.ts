import type { TenantRef } from '../../kernel/tenancy.ts'
import type { KeyRange } from '../../platform/store/client/key-range.ts'
import {
  addressedPartition,
  groupGrantsKey,
  invitationPartition,
  messengerChatKey,
  ownedPartition,
  sessionPartition,
  tokenKey,
} from '../../platform/store/keys/auth.ts'
import { keyOfItem } from '../../platform/store/keys/key.ts'
import { readPages } from '../../platform/store/ranges/read-all.ts'
import { personSlot, slotName } from '../../platform/store/slots.ts'
import { deploymentWide, type Scope, type Store } from '../../platform/store/store.ts'
import { equals, or, lacks } from '../../platform/store/writes/conditions.ts'
import { wasApplied } from '../../platform/store/writes/refusals.ts'
import { readInvitationRow } from '../invitations/invitation-row.ts'
import { readSessionNumber } from '../sessions/issue-token.ts'

/**
 * Removes the rows of sign-ins that belong to an erased user: tokens and sessions, challenges, codes, links in mails to the
 * address, the tenant's invitations to it, the chat. Every row is found by its key or through the person slot, whose entries
 * may be some seconds late. Idempotent.
 */
export async function removeOwnRows(
  store: Store,
  tenant: TenantRef,
  { userId, email, chat }: { readonly userId: number; readonly email: string | null; readonly chat: string | null },
): Promise<void> {
  for await (const { items } of readPages(store, tenant, { pk: sessionPartition(tenant, userId) })) {
    const tokens = items.map((item) => tokenKey(readSessionNumber(item)))
    // The tokens first: their list finds them after a crash.
    await store.writeMany(deploymentWide, [], tokens)
    await store.writeMany(tenant, [], items.map(keyOfItem))
  }
  await removeRange(store, tenant, { pk: ownedPartition(tenant, userId), index: slotName(personSlot) })
  await store.writeMany(tenant, [], [groupGrantsKey(tenant, userId)])
  if (email !== null) {
    await removeRange(store, deploymentWide, { pk: addressedPartition(email), index: slotName(personSlot) })
    for await (const { items } of readPages(store, tenant, { pk: invitationPartition(tenant) }))
      await store.writeMany(tenant, [], items.filter((item) => readInvitationRow(item).email === email).map(keyOfItem))
  }
  if (chat !== null)
    await wasApplied(
      store.write(tenant, {
        remove: messengerChatKey(tenant, chat),
        if: or(lacks('user_id'), equals('user_id', userId)),
      }),
    )
}

async function removeRange(store: Store, scope: Scope, range: KeyRange): Promise<void> {
  for await (const { items } of readPages(store, scope, range))
    await store.writeMany(deploymentWide, [], items.map(keyOfItem))
}

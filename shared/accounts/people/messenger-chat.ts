import type { TenantRef } from '../../kernel/tenancy.ts'
import { type Clock, isoTime } from '../../kernel/time/clock.ts'
import { messengerChatKey } from '../../platform/store/keys/auth.ts'
import type { Key } from '../../platform/store/keys/key.ts'
import type { Store } from '../../platform/store/store.ts'
import type { Item } from '../../platform/store/values/marshal.ts'
import { commit, StaleRead, type Step } from '../../platform/store/writes/commit.ts'
import { equals, isNew, lacks, or } from '../../platform/store/writes/conditions.ts'
import { retryWithJitter } from '../../platform/store/writes/retry-with-jitter.ts'
import { putChangedUser } from './change-user.ts'
import { findUser, type User } from './user.ts'

/** The row that finds the user of a chat. */
const chatItem = (tenant: TenantRef, chatId: string, userId: number): Item & Key => ({
  ...messengerChatKey(tenant, chatId),
  kind: 'messenger_chat',
  v: 1,
  user_id: userId,
})

/** The user whose row names a chat as linked; the user's row decides. */
export async function userOfChat(
  store: Pick<Store, 'get'>,
  tenant: TenantRef,
  chatId: string,
): Promise<number | undefined> {
  const item = await store.get(tenant, messengerChatKey(tenant, chatId))
  return item && Number(item.user_id)
}

/** The steps that free the chat of a user for others. */
export const freeChat = (tenant: TenantRef, { id, messengerChat }: User): Step[] =>
  messengerChat === null
    ? []
    : [
        {
          write: { remove: messengerChatKey(tenant, messengerChat), if: or(lacks('user_id'), equals('user_id', id)) },
          refused: () => new StaleRead('the chat was linked anew'),
        },
      ]

class ChatTaken extends Error {}

/**
 * Changes the messenger chat of an active user, in one transaction with `also`. `chatOf` gets the current user on every
 * attempt and answers the chat or null for none. A chat has one user of a tenant: one of another user is `taken`.
 */
export async function changeMessengerChat(
  { store, clock }: { readonly store: Store; readonly clock: Clock },
  tenant: TenantRef,
  userId: number,
  chatOf: (user: User) => string | null,
  also: readonly Step[] = [],
): Promise<'changed' | 'unchanged' | 'taken'> {
  return retryWithJitter(clock, async (retry) => {
    const before = await findUser(store, tenant, userId)
    if (!before?.isActive) return 'unchanged'
    const chat = chatOf(before)
    if (chat === before.messengerChat && also.length === 0) return 'unchanged'
    const after = { ...before, messengerChat: chat, updatedAt: isoTime(clock.now()), version: before.version + 1 }
    const take: Step[] =
      chat === null
        ? []
        : [
            {
              write: { put: chatItem(tenant, chat, userId), if: or(isNew, equals('user_id', userId)) },
              refused: () => new ChatTaken(),
            },
          ]
    const free = chat === before.messengerChat ? [] : freeChat(tenant, before)
    try {
      await commit(store, tenant, [...putChangedUser(tenant, before, after), ...take, ...free, ...also], clock.uuid())
      return 'changed'
    } catch (error) {
      if (error instanceof ChatTaken) return 'taken'
      return error instanceof StaleRead ? retry(error) : Promise.reject(error as Error)
    }
  })
}

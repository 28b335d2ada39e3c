import { changeMessengerChat, userOfChat } from '../../accounts/people/messenger-chat.ts'
import type { TenantRef } from '../../kernel/tenancy.ts'
import type { Clock } from '../../kernel/time/clock.ts'
import type { Store } from '../../platform/store/store.ts'

/** Unlinks a chat that takes no more messages. Answers false when it is linked with nobody. */
export async function unlinkChat(
  { store, clock }: { readonly store: Store; readonly clock: Clock },
  tenant: TenantRef,
  chatId: string,
): Promise<boolean> {
  const userId = await userOfChat(store, tenant, chatId)
  if (userId === undefined) return false
  const unlinked = await changeMessengerChat({ store, clock }, tenant, userId, ({ messengerChat }) =>
    messengerChat === chatId ? null : messengerChat,
  )
  return unlinked === 'changed'
}

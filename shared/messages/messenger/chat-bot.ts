import type { TenantRef } from '../../kernel/tenancy.ts'
import { chatBotKey } from '../../platform/store/keys/messages/messenger.ts'
import type { Store } from '../../platform/store/store.ts'
import type { Item } from '../../platform/store/values/marshal.ts'
import { below, isNew, or } from '../../platform/store/writes/conditions.ts'
import { wasApplied } from '../../platform/store/writes/refusals.ts'

/** The bot by which a chat wrote last, and when (Unix milliseconds). */
interface ChatBot {
  readonly channelId: number
  readonly wroteAtMs: number
}

const readChatBot = (item: Item): ChatBot => ({
  channelId: Number(item.channel_id),
  wroteAtMs: Number(item.wrote_at_ms),
})

async function find(store: Pick<Store, 'get'>, tenant: TenantRef, chatId: string): Promise<ChatBot | undefined> {
  const item = await store.get(tenant, chatBotKey(tenant, chatId))
  return item && readChatBot(item)
}

/** The incoming channel by which a chat wrote last, 0 for the bot of the settings; undefined when it never did. */
export const channelOfChat = async (
  store: Pick<Store, 'get'>,
  tenant: TenantRef,
  chatId: string,
): Promise<number | undefined> => (await find(store, tenant, chatId))?.channelId

/** Remembers by which bot a chat wrote. Does nothing when it wrote later by another one. Repeatable. */
export async function rememberBotOfChat(
  store: Pick<Store, 'write'>,
  tenant: TenantRef,
  chatId: string,
  { channelId, wroteAtMs }: ChatBot,
): Promise<void> {
  const item = { ...chatBotKey(tenant, chatId), kind: 'chat_bot', v: 1, channel_id: channelId, wrote_at_ms: wroteAtMs }
  await wasApplied(store.write(tenant, { put: item, if: or(isNew, below('wrote_at_ms', wroteAtMs)) }))
}

/** A group got another id: the new one has the bot of the old one. Repeatable. */
export async function moveBotOfChat(
  store: Pick<Store, 'get' | 'write'>,
  tenant: TenantRef,
  from: string,
  to: string,
): Promise<void> {
  const known = await find(store, tenant, from)
  if (!known) return
  await rememberBotOfChat(store, tenant, to, known)
  await store.write(tenant, { remove: chatBotKey(tenant, from) })
}

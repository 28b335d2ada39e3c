import { changeMessengerChat, userOfChat } from '../../accounts/people/messenger-chat.ts'
import type { Caller } from '../../kernel/principal.ts'
import type { Tenant, TenantRef } from '../../kernel/tenancy.ts'
import { type Clock, isoTime } from '../../kernel/time/clock.ts'
import { messengerCodeKey, ownedPartition } from '../../platform/store/keys/auth.ts'
import { type Key, keyHash } from '../../platform/store/keys/key.ts'
import { personEntry } from '../../platform/store/slots.ts'
import type { Store } from '../../platform/store/store.ts'
import type { Item } from '../../platform/store/values/marshal.ts'
import type { Step } from '../../platform/store/writes/commit.ts'
import { exists, isNew } from '../../platform/store/writes/conditions.ts'
import type { MessengerLink } from './schema.ts'

interface Dependencies {
  readonly store: Store
  readonly clock: Clock
}

/** What came of a code that was sent to a bot. `taken`: the chat belongs to another user of the tenant. */
export type LinkResult =
  | { readonly kind: 'linked'; readonly userId: number }
  | { readonly kind: 'unknown code' }
  | { readonly kind: 'taken' }

class CodeUsed extends Error {}

/**
 * Links the chat in which somebody sent a code with the user who asked for it; an earlier chat of that user is unlinked. A
 * code works once. A chat that is linked with another user stays theirs, so that nobody takes it by a foreign code.
 * `also` joins the transaction of a link; a refusal of one of these steps throws its own error.
 */
export async function linkChat(
  { store, clock }: Dependencies,
  tenant: TenantRef,
  code: string,
  chatId: string,
  also: readonly Step[] = [],
): Promise<LinkResult> {
  const key = codeKey(tenant, code)
  const item = await store.get(tenant, key)
  const found = item && readCode(item, clock.now())
  if (!found) return { kind: 'unknown code' }
  const use = { write: { remove: key, if: exists }, refused: () => new CodeUsed() }
  try {
    const change = await changeMessengerChat({ store, clock }, tenant, found.userId, () => chatId, [use, ...also])
    if (change === 'taken') return { kind: 'taken' }
    return change === 'changed' ? { kind: 'linked', userId: found.userId } : { kind: 'unknown code' }
  } catch (error) {
    if (error instanceof CodeUsed) return { kind: 'unknown code' }
    throw error
  }
}

/** Unlinks the chat of a user. Idempotent. */
export async function unlinkUser({ store, clock }: Dependencies, tenant: TenantRef, userId: number): Promise<void> {
  await changeMessengerChat({ store, clock }, tenant, userId, () => null)
}

const lifeMs = 15 * 60_000

/** What a code is good for. */
interface LinkCode {
  readonly userId: number
  readonly expiresAtMs: number
}

/** The row of a code. It has only the hash of it. */
const codeKey = (tenant: TenantRef, code: string): Key => messengerCodeKey(tenant, keyHash(code))

const codeItem = (tenant: TenantRef, key: Key, { userId, expiresAtMs }: LinkCode): Item & Key => ({
  ...key,
  kind: 'messenger_code',
  v: 1,
  user_id: userId,
  expires_at_ms: expiresAtMs,
  expires_at: Math.ceil(expiresAtMs / 1000),
  ...personEntry(ownedPartition(tenant, userId), key),
})

/** Reads the row of a code; undefined when it has expired. */
function readCode(item: Item, nowMs: number): LinkCode | undefined {
  const code = { userId: Number(item.user_id), expiresAtMs: Number(item.expires_at_ms) }
  return code.expiresAtMs > nowMs ? code : undefined
}

/** Makes a code that links one chat with a user, once, within 15 minutes: 128 random bits in 22 characters. */
export async function makeCode(
  { store, clock }: { readonly store: Pick<Store, 'write'>; readonly clock: Pick<Clock, 'now' | 'bytes'> },
  tenant: TenantRef,
  userId: number,
): Promise<{ readonly code: string; readonly expiresAt: string }> {
  const code = clock.bytes(16).toString('base64url')
  const expiresAtMs = clock.now() + lifeMs
  await store.write(tenant, { put: codeItem(tenant, codeKey(tenant, code), { userId, expiresAtMs }), if: isNew })
  return { code, expiresAt: isoTime(expiresAtMs) }
}

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

/** A code for the caller, and the address that opens the bot with it when the name of the bot is known. */
export async function askForLink(
  {
    store,
    clock,
    botName,
  }: {
    readonly store: Pick<Store, 'write'>
    readonly clock: Pick<Clock, 'now' | 'bytes'>
    readonly botName: (tenant: Tenant) => Promise<string | undefined>
  },
  { tenant, userId }: Caller,
): Promise<MessengerLink> {
  const [{ code, expiresAt }, bot] = await Promise.all([makeCode({ store, clock }, tenant, userId), botName(tenant)])
  return { code, url: bot === undefined ? null : `https://t.me/${bot}?start=${code}`, expires_at: expiresAt }
}

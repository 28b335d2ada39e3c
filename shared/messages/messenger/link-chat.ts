import { changeMessengerChat } from '../../accounts/people/messenger-chat.ts'
import type { TenantRef } from '../../kernel/tenancy.ts'
import type { Clock } from '../../kernel/time/clock.ts'
import type { Store } from '../../platform/store/store.ts'
import type { Step } from '../../platform/store/writes/commit.ts'
import { exists } from '../../platform/store/writes/conditions.ts'
import { codeKey, readCode } from './link-code.ts'

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

import type { TenantRef } from '../../kernel/tenancy.ts'
import { type Clock, isoTime } from '../../kernel/time/clock.ts'
import { messengerCodeKey, ownedPartition } from '../../platform/store/keys/auth.ts'
import { type Key, keyHash } from '../../platform/store/keys/key.ts'
import { personEntry } from '../../platform/store/slots.ts'
import type { Store } from '../../platform/store/store.ts'
import type { Item } from '../../platform/store/values/marshal.ts'
import { isNew } from '../../platform/store/writes/conditions.ts'

const lifeMs = 15 * 60_000

/** What a code is good for. */
interface LinkCode {
  readonly userId: number
  readonly expiresAtMs: number
}

/** The row of a code. It has only the hash of it. */
export const codeKey = (tenant: TenantRef, code: string): Key => messengerCodeKey(tenant, keyHash(code))

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
export function readCode(item: Item, nowMs: number): LinkCode | undefined {
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

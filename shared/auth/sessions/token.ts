import { createHash, timingSafeEqual } from 'node:crypto'
import { isoTime, type Clock } from '../../kernel/clock.ts'
import { mayFail } from '../../kernel/log.ts'
import type { PrincipalRef } from '../../kernel/principal.ts'
import type { TenantRef } from '../../kernel/tenancy.ts'
import { equals, isNew } from '../../store/conditions.ts'
import { tokenKey } from '../../store/keys/auth.ts'
import type { Key } from '../../store/keys/key.ts'
import type { Item } from '../../store/marshal.ts'
import { hasHeld } from '../../store/refusals.ts'
import { deploymentWide, type Store } from '../../store/table.ts'
import { trailEvent } from '../../trail/service.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

export const tokenLifeMs = 30 * dayMs
export const tokenIdleMs = 7 * dayMs
/** A use is noted at most this often: one write an hour, not one a request. */
const recordUseEveryMs = hourMs

/** What a client sends: the number finds the row, the secret proves that it may. */
export interface PresentedToken {
  readonly number: number
  readonly hash: Buffer
}

/** A token row. It belongs to one user of one tenant for all its life. */
export interface Token {
  readonly number: number
  readonly secretHash: Buffer
  readonly tenantId: number
  readonly userId: number
  /** The user's at the making of the token: a changed password or a disabled user raises it, which ends the token. */
  readonly credentialVersion: number
  readonly endsAtMs: number
  readonly lastUsedAtMs: number
}

/** Reads an `Authorization` header; undefined when it is no bearer token of ours. */
export function parseToken(authorization: string | undefined): PresentedToken | undefined {
  const match = /^bearer +([1-9]\d{0,15})\|([A-Za-z0-9_-]{43})$/i.exec(authorization ?? '')
  if (!match) return undefined
  const number = Number(match[1])
  return Number.isSafeInteger(number) ? { number, hash: hashSecret(match[2] as string) } : undefined
}

export const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest()

/** 256 random bits as 43 base64url characters. */
export const makeSecret = (clock: Pick<Clock, 'bytes'>): string => clock.bytes(32).toString('base64url')

/**
 * Makes a token and answers it as the client shall send it; only its hash is kept. The trail hears of it in the same
 * transaction. The number is random: a counter would
 * be one item that every login writes, and would tell how many logins there are.
 */
export async function issueToken(
  { store, clock }: { store: Pick<Store, 'transact'>; clock: Clock },
  owner: { tenant: TenantRef; user: { readonly id: number; readonly credentialVersion: number } },
  lifeMs: number = tokenLifeMs,
): Promise<string> {
  const secret = makeSecret(clock)
  const now = clock.now()
  for (;;) {
    const number = Number(clock.bytes(8).readBigUInt64BE() >> 11n)
    if (number === 0) continue
    const token: Token = {
      number,
      secretHash: hashSecret(secret),
      tenantId: owner.tenant.id,
      userId: owner.user.id,
      credentialVersion: owner.user.credentialVersion,
      endsAtMs: now + lifeMs,
      lastUsedAtMs: now,
    }
    const writeId = clock.uuid()
    const login = trailEvent(
      clock,
      owner.tenant,
      { userId: owner.user.id },
      { action: 'login', model: 'sys_users', id: owner.user.id },
    )
    const put = { put: tokenItem(token, now, writeId), if: isNew }
    if (await hasHeld(store.transact(deploymentWide, [put, login], writeId))) return `${number}|${secret}`
  }
}

/** The row of a new token. */
const tokenItem = (token: Token, nowMs: number, writeId: string): Item & Key => ({
  ...tokenKey(token.number),
  kind: 'token',
  v: 1,
  number: token.number,
  secret_hash: token.secretHash.toString('base64url'),
  tenant_id: token.tenantId,
  user_id: token.userId,
  credential_version: token.credentialVersion,
  created_at: isoTime(nowMs),
  ends_at_ms: token.endsAtMs,
  last_used_at_ms: token.lastUsedAtMs,
  expires_at: removalTime(token.lastUsedAtMs, token.endsAtMs),
  write_id: writeId,
})

export const tokenOf = (item: Item): Token => ({
  number: Number(item.number),
  secretHash: Buffer.from(String(item.secret_hash), 'base64url'),
  tenantId: Number(item.tenant_id),
  userId: Number(item.user_id),
  credentialVersion: Number(item.credential_version),
  endsAtMs: Number(item.ends_at_ms),
  lastUsedAtMs: Number(item.last_used_at_ms),
})

/** Whether the secret is the token's, and the token neither too old nor unused for too long. TTL alone is late by days. */
export const isValid = (token: Token, presented: PresentedToken, nowMs: number): boolean =>
  timingSafeEqual(token.secretHash, presented.hash) &&
  nowMs < token.endsAtMs &&
  nowMs < token.lastUsedAtMs + tokenIdleMs

/** Notes that a token is in use, when an hour has passed since the last note. A request does not fail for it. */
export async function recordUse(
  { store, clock }: { store: Pick<Store, 'write'>; clock: Clock },
  token: Token,
): Promise<void> {
  const now = clock.now()
  if (now < token.lastUsedAtMs + recordUseEveryMs) return
  await mayFail('note the use of a token', async () => {
    // Refused: another request noted it, or the token was removed meanwhile.
    await hasHeld(
      store.write(deploymentWide, {
        update: tokenKey(token.number),
        change: {
          expression: 'SET last_used_at_ms = :now, expires_at = :removal',
          values: { ':now': now, ':removal': removalTime(now, token.endsAtMs) },
        },
        if: equals('last_used_at_ms', token.lastUsedAtMs),
      }),
    )
  })
}

/** Ends a token at its user's word, which the trail hears of. */
export async function revokeToken(
  { store, clock }: { store: Pick<Store, 'transact'>; clock: Clock },
  tenant: TenantRef,
  by: PrincipalRef,
  number: number,
): Promise<void> {
  const logout = trailEvent(clock, tenant, by, { action: 'logout', model: 'sys_users', id: by.userId })
  await store.transact(deploymentWide, [{ remove: tokenKey(number) }, logout], clock.uuid())
}

/** TTL counts in seconds. */
const removalTime = (lastUsedAtMs: number, endsAtMs: number): number =>
  Math.ceil(Math.min(endsAtMs, lastUsedAtMs + tokenIdleMs) / 1000)

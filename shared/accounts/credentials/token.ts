import { createHash, timingSafeEqual } from 'node:crypto'
import type { TokenKind } from '../../kernel/principal.ts'
import { mayFail } from '../../kernel/runtime/log.ts'
import { isoTime, type Clock } from '../../kernel/time/clock.ts'
import { ownedPartition, tokenKey } from '../../platform/store/keys/auth.ts'
import type { Key } from '../../platform/store/keys/key.ts'
import { personEntry } from '../../platform/store/slots.ts'
import { deploymentWide, type Store } from '../../platform/store/store.ts'
import type { Item } from '../../platform/store/values/marshal.ts'
import { equals } from '../../platform/store/writes/conditions.ts'
import { wasApplied } from '../../platform/store/writes/refusals.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

export const tokenLifeMs = 30 * dayMs
export const tokenIdleMs = 7 * dayMs
/** The last use is stored at most once an hour, not with every request. */
const recordUseEveryMs = hourMs

/** The token of a request: its number, which is the key of the row, and the hash of its secret. */
export interface PresentedToken {
  readonly number: number
  readonly hash: Buffer
}

/** A token row. Its user never changes. */
export interface Token {
  readonly number: number
  readonly kind: TokenKind
  readonly secretHash: Buffer
  readonly tenantId: number
  readonly userId: number
  /** The credential version of the user when the token was issued. When the user's is higher, the token is revoked. */
  readonly credentialVersion: number
  /** null: the token of an API key that does not expire. */
  readonly endsAtMs: number | null
  /** 0: never. */
  readonly lastUsedAtMs: number
  readonly createdAt: string
  /** What the client that signed in called itself. */
  readonly userAgent: string | null
  /** The administrator who acts as the user, of an `impersonation` only. */
  readonly impersonator: Impersonator | null
  /** Roles that the user had then: what to read with the user's row, never what the user may do. */
  readonly roleHint: readonly string[]
}
/** So many roles at most: the others are read in a call of their own. */
const maxHintedRoles = 10

/** An administrator who acts as another user. A later credential version ends the impersonation. */
export interface Impersonator {
  readonly id: number
  readonly credentialVersion: number
}

/** Reads an `Authorization` header; undefined when it has no bearer token of this service. */
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
 * A new token, the text that its client sends, and its row, which has only the hash of the secret. Numbers are random
 * (docs/decisions/0003).
 */
export function makeToken(
  clock: Pick<Clock, 'now' | 'bytes' | 'uuid'>,
  given: Pick<Token, 'kind' | 'tenantId' | 'credentialVersion' | 'endsAtMs' | 'lastUsedAtMs'> &
    Partial<Pick<Token, 'createdAt' | 'userAgent' | 'impersonator' | 'roleHint'>>,
) {
  let number = 0
  while (number === 0) number = Number(clock.bytes(8).readBigUInt64BE() >> 11n)
  const secret = makeSecret(clock)
  const token = {
    createdAt: isoTime(clock.now()),
    userAgent: null,
    impersonator: null,
    roleHint: [],
    ...given,
    number,
    secretHash: hashSecret(secret),
  }
  const writeId = clock.uuid()
  const item = (userId: number): Item & Key => tokenItem({ ...token, userId }, writeId)
  return { token, text: `${number}|${secret}`, item, writeId }
}

/** The row of a new token. */
const tokenItem = (token: Token, writeId: string): Item & Key => ({
  ...tokenKey(token.number),
  kind: 'token',
  v: 1,
  number: token.number,
  token_kind: token.kind,
  secret_hash: token.secretHash.toString('base64url'),
  tenant_id: token.tenantId,
  user_id: token.userId,
  credential_version: token.credentialVersion,
  created_at: token.createdAt,
  ends_at_ms: token.endsAtMs,
  last_used_at_ms: token.lastUsedAtMs,
  ...removalOf(token),
  user_agent: token.userAgent,
  role_hint: token.roleHint.slice(0, maxHintedRoles),
  ...(token.impersonator && {
    impersonator_id: token.impersonator.id,
    impersonator_credential_version: token.impersonator.credentialVersion,
  }),
  // Sessions are found by their list.
  ...((token.kind === 'impersonation' || token.kind === 'api_key') &&
    personEntry(ownedPartition({ id: token.tenantId }, token.userId), tokenKey(token.number))),
  write_id: writeId,
})

export const tokenOf = (item: Item): Token => ({
  number: Number(item.number),
  kind: item.token_kind as TokenKind,
  secretHash: Buffer.from(String(item.secret_hash), 'base64url'),
  tenantId: Number(item.tenant_id),
  userId: Number(item.user_id),
  credentialVersion: Number(item.credential_version),
  endsAtMs: item.ends_at_ms as number | null,
  lastUsedAtMs: Number(item.last_used_at_ms),
  createdAt: String(item.created_at),
  userAgent: item.user_agent as string | null,
  roleHint: (item.role_hint ?? []) as readonly string[],
  impersonator:
    item.impersonator_id === undefined
      ? null
      : { id: Number(item.impersonator_id), credentialVersion: Number(item.impersonator_credential_version) },
})

/** Whether somebody presents the token who knows its secret. */
export const isPresented = (token: Token, presented: PresentedToken): boolean =>
  timingSafeEqual(token.secretHash, presented.hash)

/**
 * Whether a token has ended. DynamoDB's TTL deletes rows up to days late, so it is checked with each request. An API key
 * does not expire by being idle: programs may run once a year.
 */
export const hasExpired = ({ kind, endsAtMs, lastUsedAtMs }: Token, nowMs: number): boolean =>
  (endsAtMs !== null && nowMs >= endsAtMs) || (kind !== 'api_key' && nowMs >= lastUsedAtMs + tokenIdleMs)

/** Stores the last use of a token, at most once an hour. Never fails the request. */
export async function recordUse(
  { store, clock }: { store: Pick<Store, 'write'>; clock: Clock },
  token: Token,
): Promise<void> {
  const now = clock.now()
  if (now < token.lastUsedAtMs + recordUseEveryMs) return
  const removal = removalOf({ ...token, lastUsedAtMs: now }).expires_at
  await mayFail('store the use of a token', async () => {
    // The condition fails when another request stored it, or the token was deleted.
    await wasApplied(
      store.write(deploymentWide, {
        update: tokenKey(token.number),
        change:
          removal === undefined
            ? { expression: 'SET last_used_at_ms = :now', values: { ':now': now } }
            : {
                expression: 'SET last_used_at_ms = :now, expires_at = :removal',
                values: { ':now': now, ':removal': removal },
              },
        if: equals('last_used_at_ms', token.lastUsedAtMs),
      }),
    )
  })
}

/** When TTL may delete the row, in seconds since 1970. That of an API key stays until the key is deleted. */
const removalOf = ({ kind, endsAtMs, lastUsedAtMs }: Token): { readonly expires_at?: number } =>
  kind === 'api_key' ? {} : { expires_at: Math.ceil(Math.min(endsAtMs ?? Infinity, lastUsedAtMs + tokenIdleMs) / 1000) }

import type { TenantRef } from '../../../kernel/tenancy.ts'
import type { Key } from '../../../platform/store/keys/key.ts'
import { attemptKey } from '../../../platform/store/keys/messages/deliveries.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import type { Delivery } from '../state/delivery.ts'
import type { Attempt, AttemptOutcome } from '../state/outcome.ts'
import { keptSeconds } from './delivery-row.ts'

/** The row of an attempt. It is kept as long as its delivery. */
export const attemptItem = (
  tenant: TenantRef,
  { id, createdAtMs }: Pick<Delivery, 'id' | 'createdAtMs'>,
  attempt: Attempt,
): Item & Key => ({
  ...attemptKey(tenant, id, attempt.n),
  kind: 'delivery_attempt',
  v: 1,
  n: attempt.n,
  at_ms: attempt.atMs,
  duration_ms: attempt.durationMs,
  outcome: attempt.outcome,
  code: attempt.code,
  error: attempt.error,
  excerpt: attempt.excerpt,
  expires_at: Math.floor(createdAtMs / 1000) + keptSeconds,
})

/** Reads the row of an attempt. */
export const readAttempt = (item: Item): Attempt => ({
  n: Number(item.n),
  atMs: Number(item.at_ms),
  durationMs: item.duration_ms as number | null,
  outcome: item.outcome as AttemptOutcome,
  code: item.code as string | null,
  error: item.error as string | null,
  excerpt: item.excerpt as string | null,
})

import type { Caller } from '../../../kernel/principal.ts'
import type { Clock } from '../../../kernel/time/clock.ts'
import { idempotencyMs, keyReused } from '../../../platform/http/routing/idempotency-key.ts'
import { type Key, keyHash } from '../../../platform/store/keys/key.ts'
import { idempotencyKey } from '../../../platform/store/keys/records.ts'
import type { Store, Write } from '../../../platform/store/store.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import { below, isNew, or } from '../../../platform/store/writes/conditions.ts'

export interface RequestDependencies {
  readonly store: Pick<Store, 'get'>
  readonly clock: Pick<Clock, 'now'>
}

/** A request under an `Idempotency-Key`: repeats within 24 hours get the answer of the first. */
export interface KeyedRequest<Answer> {
  /** The answer of the first such request. Throws Invalid when the key was used with another body. */
  earlier(): Promise<Answer | undefined>
  /** The row that keeps `answer`. */
  row(answer: Answer): Item & Key
  /** The same row as a conditional write, for the transaction of the request: of equal requests only one succeeds. */
  claim(answer: Answer): Write
}

/** How an answer is kept in the row of its request. */
export interface AnswerCodec<Answer> {
  write(answer: Answer): Item
  read(item: Item): Answer
}

/** `route`: the method and path under which the key is kept, for this user: `POST /api/e/requests`. */
export function keyedRequest<Answer>(
  { store, clock }: RequestDependencies,
  { tenant, userId }: Pick<Caller, 'tenant' | 'userId'>,
  route: string,
  key: string,
  body: unknown,
  codec: AnswerCodec<Answer>,
): KeyedRequest<Answer> {
  const rowKey = idempotencyKey(tenant, userId, route, key)
  const bodyHash = keyHash(JSON.stringify(body))
  const nowSeconds = Math.floor(clock.now() / 1000)
  const row = (answer: Answer): Item & Key => ({
    ...rowKey,
    kind: 'idempotency',
    v: 1,
    body_hash: bodyHash,
    ...codec.write(answer),
    expires_at: nowSeconds + idempotencyMs / 1000,
  })
  return {
    async earlier() {
      const found = await store.get(tenant, rowKey)
      if (!found || Number(found.expires_at) < nowSeconds) return undefined
      if (found.body_hash !== bodyHash) throw keyReused()
      return codec.read(found)
    },
    row,
    claim: (answer) => ({
      put: row(answer),
      if: or(isNew, below('expires_at', nowSeconds)),
    }),
  }
}

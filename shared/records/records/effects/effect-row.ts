import { isoTime } from '../../../kernel/time/clock.ts'
import type { Key } from '../../../platform/store/keys/key.ts'
import type { Condition } from '../../../platform/store/store.ts'
import { readJson } from '../../../platform/store/values/json-attribute.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import { equals, isNew } from '../../../platform/store/writes/conditions.ts'

/** An incident, or a message whose rule failed, may wait for long before it is repeated. */
const keptSeconds = 400 * 24 * 60 * 60

/** The rows that guard the effects of one piece of work which may be repeated. */
export interface EffectRows {
  /** The kind of the rows. */
  readonly kind: string
  /** This try of the work. A repeat after a crash is the same try; a retry by a person is another one. */
  readonly tryId: string
  /** The key of the row that guards one effect. */
  keyOf(effect: string): Key
}

/** An effect that was made, and the try that made it. */
export interface Effect<T> {
  readonly tryId: string
  readonly result: T
}

/** The guard row of an effect. It keeps the result, which a repeat gets instead of a second effect. */
export const effectItem = (
  { kind, tryId, keyOf }: EffectRows,
  effect: string,
  result: unknown,
  nowMs: number,
): Item & Key => ({
  ...keyOf(effect),
  kind,
  v: 1,
  try_id: tryId,
  result: JSON.stringify(result ?? null),
  at: isoTime(nowMs),
  expires_at: Math.floor(nowMs / 1000) + keptSeconds,
})

export const readEffect = <T>(item: Item): Effect<T> => ({
  tryId: String(item.try_id),
  result: readJson<T>(item, 'result'),
})

/** The condition that the guard row is still that of this try; without one: that there is no guard row. */
export const isOfTry = (tryId: string | undefined): Condition => (tryId === undefined ? isNew : equals('try_id', tryId))

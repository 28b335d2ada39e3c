import { isoTime } from '../../kernel/clock.ts'
import { readJson } from '../../store/json-attribute.ts'
import type { Key } from '../../store/keys/key.ts'
import type { Item } from '../../store/marshal.ts'

/** An incident may stay open for long before its step is repeated. */
const keptSeconds = 400 * 24 * 60 * 60

/** The guard row of an effect. It keeps the result, which a repeat of the step gets instead of a second effect. */
export const effectItem = (key: Key, result: unknown, nowMs: number): Item & Key => ({
  ...key,
  kind: 'process_effect',
  v: 1,
  result: JSON.stringify(result ?? null),
  at: isoTime(nowMs),
  expires_at: Math.floor(nowMs / 1000) + keptSeconds,
})

/** The result of the effect. */
export const readEffect = <T>(item: Item): T => readJson<T>(item, 'result')

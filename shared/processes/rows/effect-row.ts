import { isoTime } from '../../kernel/clock.ts'
import { readJson } from '../../store/json-attribute.ts'
import type { Key } from '../../store/keys/key.ts'
import type { Item } from '../../store/marshal.ts'

/** An incident may stand for long before its step is repeated. */
const keptSeconds = 400 * 24 * 60 * 60

/** What an effect answered when it was made: a repeat of its step is answered from the row. */
export const effectItem = (key: Key, result: unknown, nowMs: number): Item & Key => ({
  ...key,
  kind: 'process_effect',
  v: 1,
  result: JSON.stringify(result ?? null),
  at: isoTime(nowMs),
  expires_at: Math.floor(nowMs / 1000) + keptSeconds,
})

export const readEffect = <T>(item: Item): T => readJson<T>(item, 'result')

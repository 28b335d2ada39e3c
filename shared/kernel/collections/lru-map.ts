/** A map that forgets the entries that were used longest ago. */
export interface LruMap<K, V> {
  readonly size: number
  /** Counts as a use. */
  get(key: K): V | undefined
  /** Does not count as a use. */
  has(key: K): boolean
  /** Counts as a use, and forgets the oldest entries when there are too many. */
  set(key: K, value: V): void
  delete(key: K): boolean
}

/** Keeps the `max` entries used last. `onForget` is notified of those that had to go for others. */
export function lruMap<K, V>(max: number, onForget?: (key: K, value: V) => void): LruMap<K, V> {
  /** The oldest first. */
  const entries = new Map<K, V>()
  return {
    get size() {
      return entries.size
    },
    get(key) {
      const value = entries.get(key)
      if (value === undefined) return undefined
      entries.delete(key)
      entries.set(key, value)
      return value
    },
    has: (key) => entries.has(key),
    set(key, value) {
      entries.delete(key)
      entries.set(key, value)
      for (const [oldest, forgotten] of entries) {
        if (entries.size <= max) break
        entries.delete(oldest)
        onForget?.(oldest, forgotten)
      }
    },
    delete: (key) => entries.delete(key),
  }
}

/** Mutual exclusion by item key. */
export interface ItemLocks {
  /** Runs `work` while holding all keys. Callers that share a key run in order of arrival. */
  hold<T>(keys: readonly string[], work: () => Promise<T> | T): Promise<T>
}

/**
 * Locks for one table store. A caller joins the queues of all its keys in one synchronous step, so callers meet in
 * the same order on every shared key and cannot deadlock.
 */
export function createItemLocks(): ItemLocks {
  const lastInQueue = new Map<string, Promise<void>>()

  return {
    async hold(keys, work) {
      const { promise: released, resolve: release } = Promise.withResolvers<void>()
      const ahead: Array<Promise<void>> = []
      for (const key of keys) {
        const last = lastInQueue.get(key)
        if (last) ahead.push(last)
        lastInQueue.set(key, released)
      }
      try {
        if (ahead.length > 0) await Promise.all(ahead)
        return await work()
      } finally {
        for (const key of keys) if (lastInQueue.get(key) === released) lastInQueue.delete(key)
        release()
      }
    },
  }
}

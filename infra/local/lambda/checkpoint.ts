/**
 * The position of a stream consumer, kept in the store. Saving does not block: while one position is written, the
 * newest of the next ones wins.
 */
import type { Storage } from '../runtime/storage/storage.ts'

export interface Checkpoint {
  /** The last durable position, from this run or the one before. */
  readonly durable: string | undefined
  save(position: string): void
  /** Resolves when everything saved is durable. */
  flush(): Promise<void>
}

export function openCheckpoint(storage: Storage, key: string, onDurable: () => void): Checkpoint {
  let durable = storage.get(key)
  let wanted = durable
  let writing: Promise<void> | undefined

  async function write(): Promise<void> {
    while (wanted !== undefined && wanted !== durable) {
      const position = wanted
      await storage.commit([{ type: 'put', key, value: position }])
      durable = position
      onDurable()
    }
  }

  return {
    get durable() {
      return durable
    },
    save(position) {
      wanted = position
      // If the write fails, a batch is delivered twice after a restart, which consumers must accept.
      writing ??= write()
        .catch(() => {})
        .finally(() => (writing = undefined))
    },
    flush: async () => writing,
  }
}

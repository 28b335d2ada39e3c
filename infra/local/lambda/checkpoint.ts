/** How far a stream consumer has come, kept in the store. Writes never wait for each other: the newest position wins. */
import type { Storage } from '../runtime/storage.ts'

export interface Checkpoint {
  /** The position the last run left, or the one saved since and durable. */
  readonly durable: string | undefined
  save(position: string): void
  /** Resolves when what was saved is durable. */
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
      // A position that is not written means a batch delivered twice after a restart, which every consumer bears.
      writing ??= write()
        .catch(() => {})
        .finally(() => (writing = undefined))
    },
    flush: async () => writing,
  }
}

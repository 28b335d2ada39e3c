import { readRange } from '../settings/read-range.ts'
/**
 * The durable, ordered key-value store of the local cloud: LevelDB in a directory, or memory for tests. Keys sort by
 * their UTF-8 bytes. Values are text.
 */
import { copyLevel, type Op, type Range, reasonOf } from './level.ts'
import type { Outage } from './outage.ts'
import { openRecoveringLevel, type RecoveryOptions } from './recovering-level.ts'
import { createTextCache } from './text-cache.ts'

export type { Op, Range } from './level.ts'

export interface Storage {
  /** The committed value of a key. Synchronous: a hop to LevelDB's thread pool costs more than the read. */
  get(key: string): string | undefined
  /** The values of many keys, in their order, from one snapshot. */
  getMany(keys: readonly string[]): Promise<Array<string | undefined>>
  /** The entries of a key range, in key order (or reverse), from one snapshot. */
  range(range: Range): Promise<Array<[key: string, value: string]>>
  /** The values of a key range. A third cheaper than `range`. */
  values(range: Range): Promise<string[]>
  /** Applies all operations or none. Resolves when they are durable; they are visible from then on. */
  commit(ops: readonly Op[]): Promise<void>
  /**
   * Set while nothing can be written, as on a full disk: every commit then rejects with its error, and has no effect.
   * Reads go on, except in the moment in which the directory is opened again.
   */
  outage(): Outage | undefined
  /**
   * Copies all entries, as they are at the moment of the call, into a new directory, while others are committed; answers
   * how many.
   */
  copyTo(directory: string, onProgress?: (entries: number) => void): Promise<number>
  /** Waits for commits in flight, then closes the directory. */
  close(): Promise<void>
}

export interface StorageOptions extends Omit<RecoveryOptions, 'sync'> {
  /**
   * Wait for the disk (fdatasync) before a commit resolves. Default true; false survives a killed process, not a
   * power cut.
   */
  sync?: boolean
}

interface Group {
  ops: Op[]
  waiters: Array<(error?: Error) => void>
}

/** Up to this many keys are read directly; for more, a hop to LevelDB's threads is faster. */
const maxDirectReads = 8

/**
 * Opens the store in `directory` (created when missing), or in memory for `':memory:'`. Rejects with a one-line
 * message for the operator when the directory is in use, damaged or not writable.
 */
export async function openStorage(
  directory: string,
  { sync = true, ...options }: StorageOptions = {},
): Promise<Storage> {
  const level = await openRecoveringLevel(directory, { sync, ...options })
  const cache = createTextCache()
  let pending: Group = { ops: [], waiters: [] }
  let flushing: Promise<void> | undefined
  let closing: Promise<void> | undefined

  /** Group commit: while one group is written the next one gathers, so that writers share each fdatasync. */
  async function flush(): Promise<void> {
    await undefined // lets every commit of this turn join the first group
    while (pending.waiters.length > 0) {
      const group = pending
      pending = { ops: [], waiters: [] }
      let failure: Error | undefined
      try {
        await level.write(group.ops)
        for (const { key } of group.ops) cache.forget(key)
      } catch (cause) {
        failure =
          level.outage()?.error ??
          new Error(`The data in ${directory} could not be written: ${reasonOf(cause)}.`, { cause })
      }
      for (const resume of group.waiters) resume(failure)
    }
    flushing = undefined
  }

  function get(key: string): string | undefined {
    const kept = cache.get(key)
    if (kept !== undefined) return kept
    const text = level.get(key)
    if (text !== undefined) cache.keep(key, text)
    return text
  }

  return {
    get,
    getMany: async (keys) =>
      keys.length <= maxDirectReads ? keys.map(get) : level.read((open) => open.getMany([...keys])),
    range: (range) => level.read((open) => readRange(open, range, true)),
    values: async (range) => (await level.read((open) => readRange(open, range, false))).map(([, value]) => value),
    commit(ops) {
      if (closing) return Promise.reject(new Error(`The data in ${directory} is closed.`))
      if (ops.length === 0) return Promise.resolve()
      return new Promise((resolve, reject) => {
        for (const op of ops) pending.ops.push(op)
        pending.waiters.push((error) => (error ? reject(error) : resolve()))
        flushing ??= flush()
      })
    },
    outage: level.outage,
    copyTo: (to, onProgress) => level.read((open) => copyLevel(open, to, onProgress)),
    close() {
      closing ??= (async () => {
        await flushing
        await level.close()
      })()
      return closing
    },
  }
}

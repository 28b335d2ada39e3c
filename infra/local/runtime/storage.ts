/**
 * The durable, ordered key-value store of the local cloud: LevelDB in a directory, or memory for tests. Keys sort by
 * their UTF-8 bytes. Values are text.
 */
import { ClassicLevel } from 'classic-level'
import { MemoryLevel } from 'memory-level'
import { createTextCache } from './text-cache.ts'

export type Op = { type: 'put'; key: string; value: string } | { type: 'del'; key: string }

export interface Range {
  gt?: string
  gte?: string
  lt?: string
  lte?: string
  reverse?: boolean
  limit?: number
}

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
  /** Waits for commits in flight, then closes the directory. */
  close(): Promise<void>
}

export interface StorageOptions {
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

/** What is used of either kind of level; the one in memory ignores `sync`. */
interface Level {
  getSync(key: string): string | undefined
  getMany(keys: string[]): Promise<Array<string | undefined>>
  iterator(options: Range & { highWaterMarkBytes: number; keys?: boolean }): LevelIterator
  batch(ops: Op[], options: { sync: boolean }): Promise<void>
  close(): Promise<void>
}

interface LevelIterator {
  nextv(size: number): Promise<Array<[string, string]>>
  seek(key: string): void
  close(): Promise<void>
}

/** Up to this many keys are read directly; for more, a hop to LevelDB's threads is faster. */
const directReadsMax = 8
/** How much an iterator fetches in one hop; with LevelDB's default of 16 KB a page takes several. */
const highWaterMarkBytes = 1 << 20
/** An iterator allocates room for as many entries as it is asked for, and keeps that. */
const [entriesAtFirst, entriesAtOnce] = [100, 1000]
const bytesPerEntry = 64
/** How many bytes a closed iterator may retain. */
const retainedBytesMax = 8192

/**
 * Opens the store in `directory` (created when missing), or in memory for `':memory:'`. Rejects with a one-line
 * message for the operator when the directory is in use, damaged or not writable.
 */
export async function openStorage(directory: string, { sync = true }: StorageOptions = {}): Promise<Storage> {
  const level = await openLevel(directory)
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
        await level.batch(group.ops, { sync })
        for (const { key } of group.ops) cache.forget(key)
      } catch (cause) {
        failure = new Error(`The data in ${directory} could not be written: ${reasonOf(cause)}.`, { cause })
      }
      for (const resume of group.waiters) resume(failure)
    }
    flushing = undefined
  }

  function get(key: string): string | undefined {
    const kept = cache.get(key)
    if (kept !== undefined) return kept
    const text = level.getSync(key)
    if (text !== undefined) cache.keep(key, text)
    return text
  }

  return {
    get,
    getMany: async (keys) => (keys.length <= directReadsMax ? keys.map(get) : level.getMany([...keys])),
    range: (range) => readRange(level, range, true),
    values: async (range) => (await readRange(level, range, false)).map(([, value]) => value),
    commit(ops) {
      if (closing) return Promise.reject(new Error(`The data in ${directory} is closed.`))
      if (ops.length === 0) return Promise.resolve()
      return new Promise((resolve, reject) => {
        for (const op of ops) pending.ops.push(op)
        pending.waiters.push((error) => (error ? reject(error) : resolve()))
        flushing ??= flush()
      })
    },
    close() {
      closing ??= (async () => {
        await flushing
        await level.close()
      })()
      return closing
    },
  }
}

/** The entries of a range, with or without their keys. */
async function readRange(
  level: Level,
  { limit = Number.POSITIVE_INFINITY, ...bounds }: Range,
  keys: boolean,
): Promise<Array<[string, string]>> {
  const iterator = level.iterator({ ...givenBounds(bounds), highWaterMarkBytes, keys })
  let entries: Array<[string, string]> = []
  let held = 0
  let isEnd = false
  try {
    while (entries.length < limit) {
      const more = await iterator.nextv(
        Math.min(entries.length === 0 ? entriesAtFirst : entriesAtOnce, limit - entries.length),
      )
      isEnd = more.length === 0
      if (isEnd) break
      held = more.reduce((sum, [, value]) => sum + value.length + bytesPerEntry, 0)
      entries = entries.length === 0 ? more : entries.concat(more)
    }
  } finally {
    void closeIterator(iterator, held, isEnd ? (bounds.gte ?? bounds.gt) : undefined)
  }
  return entries
}

/**
 * Closes an iterator. LevelDB retains what it read last until V8 collects the iterator, so after a large read it
 * reads one more entry first (docs/decisions/0027). `from`: where to seek for that, at the end of a range.
 */
async function closeIterator(iterator: LevelIterator, held: number, from: string | undefined): Promise<void> {
  try {
    try {
      if (held > retainedBytesMax) {
        if (from !== undefined) iterator.seek(from)
        await iterator.nextv(1)
      }
    } finally {
      await iterator.close()
    }
  } catch {
    // The store is closing, and its iterators with it. The read itself succeeded.
  }
}

async function openLevel(directory: string): Promise<Level> {
  if (directory === ':memory:') {
    const memory = new MemoryLevel()
    await memory.open()
    return memory
  }
  // Blocks of 16 KB compress better: files are a quarter smaller than with 4 KB. A write buffer of 16 MB, of which
  // there are two at times, means fewer compactions than one of 4; one of 32 makes an import no faster.
  const level = new ClassicLevel(directory, { writeBufferSize: 16 << 20, cacheSize: 16 << 20, blockSize: 16 << 10 })
  try {
    await level.open()
  } catch (cause) {
    throw new Error(explainOpenFailure(directory, cause), { cause })
  }
  return level
}

function explainOpenFailure(directory: string, failure: unknown): string {
  switch (codeOf(failure)) {
    case 'LEVEL_LOCKED':
      return `The data directory ${directory} is in use by another process.`
    case 'LEVEL_CORRUPTION':
      return `The data directory ${directory} is damaged: restore it from a backup.`
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return `The data directory ${directory} cannot be written: check its owner and permissions.`
    case 'ENOTDIR':
    case 'EEXIST':
      return `The data directory ${directory} is not a directory.`
    default:
      return `The data directory ${directory} cannot be opened: ${reasonOf(failure)}.`
  }
}

/** The level packages wrap errors: the innermost code is the cause. */
function codeOf(failure: unknown): string | undefined {
  if (!(failure instanceof Error)) return undefined
  return codeOf(failure.cause) ?? (failure as NodeJS.ErrnoException).code
}

function reasonOf(failure: unknown): string {
  if (!(failure instanceof Error)) return String(failure)
  const innermost = failure.cause instanceof Error ? reasonOf(failure.cause) : failure.message
  return innermost.split('\n')[0]!.replace(/\.$/, '')
}

/** LevelDB treats an undefined bound as a bound. */
function givenBounds(range: Range): Range {
  const bounds: Range = {}
  if (range.gt !== undefined) bounds.gt = range.gt
  if (range.gte !== undefined) bounds.gte = range.gte
  if (range.lt !== undefined) bounds.lt = range.lt
  if (range.lte !== undefined) bounds.lte = range.lte
  if (range.reverse) bounds.reverse = true
  if (range.limit !== undefined) bounds.limit = range.limit
  return bounds
}

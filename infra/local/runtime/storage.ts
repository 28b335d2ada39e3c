/**
 * The durable, ordered key-value store under the local cloud: LevelDB in a directory, or memory for tests.
 * Keys sort by their UTF-8 bytes. Values are text.
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
  /** The same for many keys, in their order, all from one consistent snapshot. */
  getMany(keys: readonly string[]): Promise<Array<string | undefined>>
  /** The entries of a key range, in key order (or reverse), all from one consistent snapshot. */
  range(range: Range): Promise<Array<[key: string, value: string]>>
  /** Only the values of a key range: keys are longer than they look, and a third of the price. */
  values(range: Range): Promise<string[]>
  /** Applies all operations or none; resolves once they are durable (and only then are they visible). */
  commit(ops: readonly Op[]): Promise<void>
  /** Waits for what is being committed, then lets go of the directory. */
  close(): Promise<void>
}

export interface StorageOptions {
  /** Wait for the disk (fdatasync) before a commit resolves. Default true; false survives a killed process, not a power cut. */
  sync?: boolean
}

interface Group {
  ops: Op[]
  waiters: Array<(error?: Error) => void>
}

/** What is used of either kind of level; the one in memory takes no notice of `sync`. */
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

/** Up to so many keys are read at once; the hop to LevelDB's threads pays for more. */
const directReadsMax = 8
/** An iterator fetches so much in one hop; LevelDB's own 16 KB make several of a page. */
const highWaterMarkBytes = 1 << 20
/** An iterator has room made for as many as it is asked for at once, and keeps that. */
const [entriesAtFirst, entriesAtOnce] = [100, 1000]
const bytesPerEntry = 64
/** What an iterator may go on holding in vain. */
const retainedBytesMax = 8192

/**
 * Opens the store in `directory` (created when missing), or in memory for `':memory:'`.
 * Rejects with one line an operator can act on when the directory is in use, damaged or not writable.
 */
export async function openStorage(directory: string, { sync = true }: StorageOptions = {}): Promise<Storage> {
  const level = await openLevel(directory)
  const cache = createTextCache()
  let pending: Group = { ops: [], waiters: [] }
  let flushing: Promise<void> | undefined
  let closing: Promise<void> | undefined

  /** While one group is being written the next one gathers, so that many writers share each fdatasync. */
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

/** The entries of a range, with their keys or without. */
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
 * Closes an iterator. What it read last stays in memory of LevelDB's until V8 collects the iterator, which is after the next
 * full collection and may be seconds of reading later (300 MB of lists): one that held much is read on once, and forgets.
 * `from`: where one that stands at the end of its range is put for that.
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
    // The store is being closed, and its iterators with it: what was asked for has been read.
  }
}

async function openLevel(directory: string): Promise<Level> {
  if (directory === ':memory:') {
    const memory = new MemoryLevel()
    await memory.open()
    return memory
  }
  // Blocks of 16 KB hold more that is alike: files are a quarter smaller than with 4 KB, and so is what is mapped of them. What
  // is written stays in memory up to 32 MB: the larger the piece, the less often old files are written anew to take it in.
  const level = new ClassicLevel(directory, { writeBufferSize: 32 << 20, cacheSize: 16 << 20, blockSize: 16 << 10 })
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

/** The level packages wrap what went wrong: the innermost code says it. */
function codeOf(failure: unknown): string | undefined {
  if (!(failure instanceof Error)) return undefined
  return codeOf(failure.cause) ?? (failure as NodeJS.ErrnoException).code
}

function reasonOf(failure: unknown): string {
  if (!(failure instanceof Error)) return String(failure)
  const innermost = failure.cause instanceof Error ? reasonOf(failure.cause) : failure.message
  return innermost.split('\n')[0]!.replace(/\.$/, '')
}

/** LevelDB takes an undefined bound for a bound. */
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

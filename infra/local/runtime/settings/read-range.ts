import type { Level, LevelIterator, Range } from '../storage/level.ts'

/** How much an iterator fetches in one hop; with LevelDB's default of 16 KB a page takes several. */
const highWaterMarkBytes = 1 << 20
/** An iterator allocates room for as many entries as it is asked for, and keeps that. */
const [entriesAtFirst, entriesAtOnce] = [100, 1000]
const bytesPerEntry = 64
/** How many bytes a closed iterator may retain. */
const maxRetainedBytes = 8192

/** The entries of a range, with or without their keys. */
export async function readRange(
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
      if (held > maxRetainedBytes) {
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

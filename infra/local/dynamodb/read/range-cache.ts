/**
 * Keeps short ends of partitions that are asked for again and again, such as what changed lately in a table: every list
 * asks five of them, mostly for nothing new, and a read of LevelDB crosses to its threads and back. A list takes a fifth more
 * CPU without it (decision 0120).
 */
import type { Op, Range, Storage } from '../../runtime/storage/storage.ts'

/** Longer ranges are pages, which are rarely read twice. */
const maxEntries = 128
const maxCharacters = 32 * 1024
/** Of all that is kept, keys included. */
const maxAllCharacters = 8 * 1024 * 1024
/** So many partitions are remembered as asked for. */
const maxAsked = 2000

/** All entries of a partition from the key `low` on, in key order. */
interface PartitionEnd {
  readonly low: string
  readonly keys: string[]
  readonly values: string[]
  characters: number
}

/** A read whose answer is kept, unless the partition changes meanwhile. */
interface Load {
  isStale: boolean
}

/** The storage, with a cache in front of `values`. Whatever writes entries of items or indexes must commit through it. */
export function withRangeCache(storage: Storage): Storage {
  const ends = new Map<string, PartitionEnd>()
  const loads = new Map<string, Set<Load>>()
  const asked = new Set<string>()
  let characters = 0

  function forget(partition: string): void {
    characters -= ends.get(partition)?.characters ?? 0
    ends.delete(partition)
  }

  /** The one used last is the last of the map. */
  function keep(partition: string, end: PartitionEnd): void {
    forget(partition)
    if (isLong(end.keys.length, end.characters)) return
    ends.set(partition, end)
    characters += end.characters
    for (const oldest of ends.keys()) {
      if (characters <= maxAllCharacters) break
      forget(oldest)
    }
  }

  /** Reads up to the end of the partition, with the keys. */
  async function load(partition: string, range: Range): Promise<string[]> {
    const own: Load = { isStale: false }
    const others = loads.get(partition) ?? new Set()
    loads.set(partition, others.add(own))
    try {
      const entries = await storage.range(range)
      if (range.reverse) entries.reverse()
      const end: PartitionEnd = {
        low: lowOf(range),
        keys: entries.map(([key]) => key),
        values: entries.map(([, value]) => value),
        characters: entries.reduce((sum, [key, value]) => sum + key.length + value.length, partition.length),
      }
      const isWhole = entries.length < (range.limit ?? Number.POSITIVE_INFINITY)
      if (isWhole && !own.isStale) keep(partition, end)
      return range.reverse ? end.values.toReversed() : [...end.values]
    } finally {
      others.delete(own)
      if (others.size === 0) loads.delete(partition)
    }
  }

  function apply({ key, ...op }: Op): void {
    const partition = partitionOf(key)
    if (partition === undefined) return
    for (const one of loads.get(partition) ?? []) one.isStale = true
    const end = ends.get(partition)
    if (!end || key < end.low) return
    const index = firstFrom(end.keys, key)
    const isKnown = end.keys[index] === key
    const before = isKnown ? key.length + (end.values[index] as string).length : 0
    const value = op.type === 'put' ? [op.value] : []
    end.keys.splice(index, isKnown ? 1 : 0, ...value.map(() => key))
    end.values.splice(index, isKnown ? 1 : 0, ...value)
    const more = (op.type === 'put' ? key.length + op.value.length : 0) - before
    end.characters += more
    characters += more
    if (isLong(end.keys.length, end.characters)) forget(partition)
  }

  return {
    ...storage,
    async values(range) {
      const partition = partitionOf(lowOf(range))
      const upper = range.lt ?? range.lte
      if (partition === undefined || !upper?.startsWith(partition)) return storage.values(range)
      const end = ends.get(partition)
      if (end && lowOf(range) >= end.low) {
        ends.delete(partition)
        ends.set(partition, end)
        return valuesIn(end, range)
      }
      const isToEnd = range.lt === `${partition}~`
      if (isToEnd && asked.has(partition)) {
        asked.delete(partition)
        return load(partition, range)
      }
      const values = await storage.values(range)
      const isWhole = values.length < (range.limit ?? Number.POSITIVE_INFINITY)
      const isShort = !isLong(
        values.length,
        values.reduce((sum, value) => sum + value.length, 0),
      )
      if (isToEnd && isWhole && isShort) {
        if (asked.size >= maxAsked) asked.clear()
        asked.add(partition)
      }
      return values
    },
    async commit(ops) {
      try {
        await storage.commit(ops)
      } catch (error) {
        // Whether it was written is unknown.
        for (const { key } of ops) forget(partitionOf(key) ?? '')
        throw error
      }
      if (ends.size > 0 || loads.size > 0) for (const op of ops) apply(op)
    },
  }
}

const isLong = (entries: number, characters: number): boolean => entries > maxEntries || characters > maxCharacters

const lowOf = ({ gt, gte }: Range): string => gte ?? gt ?? ''

/** `ddb/item/<table>/<hash>/<partition>/` or `ddb/index/<table>/<index>/<hash>/<partition>/`; undefined for other keys. */
function partitionOf(key: string): string | undefined {
  const slashes = key.startsWith('ddb/item/') ? 5 : key.startsWith('ddb/index/') ? 6 : 0
  if (slashes === 0) return undefined
  let at = -1
  for (let n = 0; n < slashes; n += 1) {
    at = key.indexOf('/', at + 1)
    if (at === -1) return undefined
  }
  return key.slice(0, at + 1)
}

function valuesIn({ keys, values }: PartitionEnd, { gt, gte, lt, lte, reverse, limit }: Range): string[] {
  const from = gt === undefined ? firstFrom(keys, gte ?? '') : firstBehind(keys, gt)
  const to = lt === undefined ? firstBehind(keys, lte ?? '') : firstFrom(keys, lt)
  const found = values.slice(from, Math.max(from, to))
  if (reverse) found.reverse()
  return limit === undefined || found.length <= limit ? found : found.slice(0, limit)
}

/** The index of the first key that is not below `key`. */
function firstFrom(keys: readonly string[], key: string): number {
  let [low, high] = [0, keys.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((keys[middle] as string) < key) low = middle + 1
    else high = middle
  }
  return low
}

const firstBehind = (keys: readonly string[], key: string): number => {
  const index = firstFrom(keys, key)
  return keys[index] === key ? index + 1 : index
}

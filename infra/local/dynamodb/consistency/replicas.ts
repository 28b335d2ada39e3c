/**
 * Copies of the data that lag behind, as in AWS: each index, and the replicas that eventually consistent reads may meet.
 * Storage holds the newest state only, so nothing is lost in a crash. What a write replaces is kept in memory until its lag is
 * over.
 */
import type { Op, Range, Storage } from '../../runtime/storage/storage.ts'
import type { Random } from '../../runtime/timing/randomness.ts'

export interface Replicas {
  /** Notes what a write of one item will replace. Call it in the turn in which the write is committed. */
  note(item: Op, indexEntries: readonly Op[]): void
  /** What an eventually consistent read of items sees: the newest state, or an older one. */
  ofItems(): Storage
  /** What a read of an index sees: each write after a lag of its own. */
  readonly ofIndexes: Storage
}

export interface ReplicasOptions {
  readonly now: () => number
  readonly random: Random
}

/** Every write is in all indexes and replicas after this time. */
export const maxLagMs = 1_500
const maxItemLagMs = 1_000
/** How many eventually consistent reads meet a replica that lags. */
const laggingShare = 0.5
/** How often what is over is forgotten, in noted writes. */
const forgetEvery = 500

/** A value that a write replaced, and until when lagging copies still have it. */
interface Replaced {
  readonly value: string | undefined
  readonly untilMs: number
}

export function openReplicas(storage: Storage, { now, random }: ReplicasOptions): Replicas {
  const replaced = new Map<string, Replaced[]>()
  /** By the key of an item: its writes reach the indexes in order, those of different items do not. */
  const indexedAt = new Map<string, number>()
  let noted = 0

  function keep(key: string, untilMs: number): void {
    const before = replaced.get(key) ?? []
    const last = before.at(-1)?.untilMs ?? 0
    replaced.set(key, [...before, { value: storage.get(key), untilMs: Math.max(last, untilMs) }])
  }

  function forgetOver(): void {
    const time = now()
    for (const [key, versions] of replaced) if (versions.at(-1)!.untilMs <= time) replaced.delete(key)
    for (const [key, at] of indexedAt) if (at <= time) indexedAt.delete(key)
  }

  /** What lagging copies have instead of the newest value, if they still do. */
  const olderOf = (key: string, time: number): Replaced | undefined =>
    replaced.get(key)?.find(({ untilMs }) => untilMs > time)

  function get(key: string): string | undefined {
    const older = olderOf(key, now())
    return older ? older.value : storage.get(key)
  }

  /** The entries of a range in which lagging copies differ. */
  function olderIn(range: Range): [key: string, value: string | undefined][] {
    const time = now()
    return [...replaced.keys()].flatMap((key) => {
      const older = isIn(range, key) ? olderOf(key, time) : undefined
      return older ? [[key, older.value] as [string, string | undefined]] : []
    })
  }

  async function entriesIn(range: Range): Promise<[key: string, value: string][]> {
    const { limit = Infinity } = range
    for (let more = olderIn(range).length; ; more = 2 * more + 1) {
      const entries = await storage.range({ ...range, ...(limit < Infinity && { limit: limit + more }) })
      const isWhole = entries.length < limit + more
      const last = entries.at(-1)?.[0]
      const found = new Map(entries)
      for (const [key, value] of olderIn(range)) {
        const isBehind = last !== undefined && (range.reverse ? key < last : key > last)
        if (value === undefined) found.delete(key)
        else if (isWhole || !isBehind) found.set(key, value)
      }
      const direction = range.reverse ? -1 : 1
      const sorted = [...found].sort(([a], [b]) => (a < b ? -direction : direction))
      if (isWhole || sorted.length >= limit) return sorted.slice(0, limit)
    }
  }

  const lagging: Storage = {
    ...storage,
    get,
    getMany: async (keys) => {
      const newest = await storage.getMany(keys)
      const time = now()
      return keys.map((key, at) => {
        const older = olderOf(key, time)
        return older ? older.value : newest[at]
      })
    },
    range: entriesIn,
    values: async (range) =>
      olderIn(range).length === 0 ? storage.values(range) : (await entriesIn(range)).map(([, value]) => value),
  }

  return {
    note(item, indexEntries) {
      if (++noted % forgetEvery === 0) forgetOver()
      keep(item.key, now() + random() * maxItemLagMs)
      if (indexEntries.length === 0) return
      const at = Math.max(indexedAt.get(item.key) ?? 0, now() + random() * maxLagMs)
      indexedAt.set(item.key, at)
      for (const { key } of indexEntries) keep(key, at)
    },
    ofItems: () => (random() < laggingShare ? lagging : storage),
    ofIndexes: lagging,
  }
}

const isIn = ({ gt, gte, lt, lte }: Range, key: string): boolean =>
  (gt === undefined || key > gt) &&
  (gte === undefined || key >= gte) &&
  (lt === undefined || key < lt) &&
  (lte === undefined || key <= lte)

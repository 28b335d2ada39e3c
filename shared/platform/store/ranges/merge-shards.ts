import type { KeyRange } from '../client/key-range.ts'
import { keyOfItem, shardCount } from '../keys/key.ts'
import { slotAttributes } from '../slots.ts'
import type { Scope, Store } from '../store.ts'
import type { Item } from '../values/marshal.ts'

/** One of the partitions that are read as one. Its sort keys are compared without `prefix`, and must be ASCII. */
export interface Shard extends Pick<KeyRange, 'pk' | 'index'> {
  /** The text with which all sort keys begin; others are left out. */
  readonly prefix?: string
}

/** What to read of all shards. Sort keys are given without the prefix of a shard. */
export interface MergedRange {
  /** The bounds, included. */
  readonly from?: string
  readonly to?: string
  readonly reverse?: boolean
  /** The last sort key of the page before: reading continues behind it. */
  readonly after?: string
  /** Reading ends at so many items, or a few more when the last ones have the same sort key. */
  readonly limit?: number
  /** How many items the reader will probably take: what is read at once depends on it. Default: `limit`. */
  readonly wanted?: number
}

export interface MergedPage {
  /** None only on the last page. */
  readonly items: readonly Item[]
  /** Whether there may be items behind these. */
  readonly hasMore: boolean
}

/** Most items of one read of one shard. */
const maxPerRead = 1000
/** So few items are read of every shard at once that a page of 100 costs one read even when one shard holds it all. */
const fewItems = 102

/**
 * Reads shards side by side and merges them by sort key, and among equal sort keys by id. Items with the same sort key
 * come in one page, so a reader that continues behind a sort key loses none and doubles none. Break out of the loop to
 * stop early.
 */
export async function* readMerged(
  store: Pick<Store, 'query'>,
  scope: Scope,
  shards: readonly Shard[],
  range: MergedRange,
): AsyncGenerator<MergedPage, void, undefined> {
  const { limit = Infinity, wanted = limit } = range
  const direction = range.reverse ? -1 : 1
  const runs = shards.map((shard) => startRun(shard, range, firstRead(wanted)))
  let taken = 0
  for (let hasMore = true; hasMore && taken < limit;) {
    await Promise.all(runs.filter(runsShort).map((run) => readOn(store, scope, run, wanted - taken)))
    const entries = takeReady(runs, direction)
    const kept = entries.slice(0, endOfPage(entries, limit - taken))
    taken += kept.length
    hasMore = kept.length < entries.length || runs.some(({ isOpen, ready }) => isOpen || ready.length > 0)
    if (kept.length > 0 || !hasMore) yield { items: kept.map(({ item }) => item), hasMore }
  }
}

interface Entry {
  readonly item: Item
  readonly sort: string
}

/** What was read of one shard and not taken yet. */
interface Run {
  readonly range: KeyRange
  readonly sortOf: (item: Item) => string
  readonly isLeftOut: (sort: string) => boolean
  readonly ready: Entry[]
  /** The sort key at which the last read ended. */
  readTo?: string
  next?: Readonly<Record<string, string>>
  isOpen: boolean
  perRead: number
}

function startRun(shard: Shard, { from, to, after, reverse }: MergedRange, perRead: number): Run {
  const { prefix = '', pk, index } = shard
  const sort = index === undefined ? 'sk' : slotAttributes(index).sort
  const [low, high] = reverse ? [from, least(to, after)] : [greatest(from, after), to]
  return {
    range: {
      pk,
      index,
      reverse,
      // An empty text is no bound in DynamoDB.
      from: prefix + (low ?? '') || undefined,
      to: high === undefined && prefix === '' ? undefined : prefix + (high ?? highest),
    },
    sortOf: (item) => String(item[sort]).slice(prefix.length),
    isLeftOut: (text) => text === after,
    ready: [],
    // DynamoDB refuses bounds in the wrong order.
    isOpen: low === undefined || high === undefined || low <= high,
    perRead: after === undefined ? perRead : perRead + 1,
  }
}

const highest = '\u{10FFFF}'
const least = (a: string | undefined, b: string | undefined) => (a === undefined || (b !== undefined && b < a) ? b : a)
const greatest = (a: string | undefined, b: string | undefined) =>
  a === undefined || (b !== undefined && b > a) ? b : a

/**
 * The first read takes a share of what is wanted: ids spread evenly, and four standard deviations more make a second
 * read rare. The last entry of a read is not ready yet, hence one more.
 */
function firstRead(wanted: number): number {
  const share = wanted / shardCount
  return Math.ceil(Math.min(maxPerRead, wanted + 1, Math.max(fewItems, share + 4 * Math.sqrt(share))))
}

/** Whether nothing more can be taken before this shard is read on, or soon cannot. */
const runsShort = ({ isOpen, ready, readTo, perRead }: Run): boolean =>
  isOpen && (ready.length * 2 < perRead || ready[0]?.sort === readTo)

async function readOn(store: Pick<Store, 'query'>, scope: Scope, run: Run, left: number): Promise<void> {
  if (run.next) run.perRead = Math.min(maxPerRead, Math.max(left + 1, run.perRead * 2))
  const { items, last } = await store.query(scope, { ...run.range, limit: run.perRead, after: run.next })
  const entries = items.map((item) => ({ item, sort: run.sortOf(item) }))
  run.ready.push(...entries.filter(({ sort }) => !run.isLeftOut(sort)))
  run.readTo = entries.at(-1)?.sort ?? run.readTo
  run.next = last
  run.isOpen = last !== undefined
}

/**
 * Takes what no later read can precede: all entries before the nearest sort key at which an open shard was left, which
 * may have more entries with that key.
 */
function takeReady(runs: readonly Run[], direction: 1 | -1): Entry[] {
  const open = runs.filter(({ isOpen }) => isOpen)
  const ends = open.map(({ readTo }) => readTo).filter((end) => end !== undefined)
  if (ends.length < open.length) return []
  const nearest = ends.reduce<string | undefined>((a, b) => (direction === 1 ? least(b, a) : greatest(b, a)), undefined)
  const taken = runs.flatMap((run) => {
    const end = nearest === undefined ? -1 : run.ready.findIndex(({ sort }) => compare(sort, nearest) * direction >= 0)
    return run.ready.splice(0, end === -1 ? run.ready.length : end)
  })
  return taken.sort((a, b) => direction * (compare(a.sort, b.sort) || compareKeys(a.item, b.item)))
}

function compareKeys(a: Item, b: Item): number {
  const [one, other] = [keyOfItem(a), keyOfItem(b)]
  return compare(one.sk, other.sk) || compare(one.pk, other.pk)
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Where a page of `most` entries ends: behind all that have the sort key of its last one. */
function endOfPage(entries: readonly Entry[], most: number): number {
  if (entries.length <= most) return entries.length
  const last = entries[most - 1]?.sort
  const end = entries.findIndex(({ sort }, index) => index >= most && sort !== last)
  return end === -1 ? entries.length : end
}

import type { Scalar } from '../../columns/scalar.ts'
import { runLoop } from '../../columns/vector/number-kernels.ts'
import type { Evaluation } from '../evaluate/open-evaluation.ts'
import { orderRange } from '../evaluate/order/order-range.ts'
import type { SortLevel } from '../evaluate/order/sort-few.ts'
import {
  compareInOrder,
  inOrder,
  putInOrder,
  readKeys,
  sortLevel,
  type SortSource,
} from '../evaluate/order/sort-levels.ts'
import { afterwards, type Awaitable, eachPiece } from '../evaluate/read-values.ts'
import { selectByRank, type Selection, selectRecords } from '../evaluate/select.ts'
import { carriedValues, type CursorPosition, mayBeCut } from './cursor.ts'
import type { SortKey } from './order.ts'

/** The records of a list in its order, of which only the asked for are sorted. */
export interface OrderedIds {
  /** How many there are; after a cursor, how many follow it. */
  readonly count: number
  /** How many there are before and after a cursor. */
  readonly total: number
  /** The ids at these ranks, `to` excluded; of ranks that were not `wanted` those that the records have by now. */
  range(from: number, to: number): Promise<readonly number[]>
  /** The sort values of a record of the list, for a cursor. */
  carried(id: number): Promise<(Scalar | null)[]>
  /** Leaves records out that turned out not to belong to the list; ranks move up. */
  without(ids: ReadonlySet<number>): OrderedIds | Promise<OrderedIds>
}

/** A list whose records are ordered, but for those that have to be read to know whether they belong to it. */
interface Listed {
  readonly ordered: OrderedIds
  readonly doubtful: readonly number[]
}

/** Ranks of a list that will be asked for, `to` excluded. */
export interface Ranks {
  readonly from: number
  readonly to: number
}

/**
 * Evaluates a list on columns: selects its records and makes their order. `position`: only those after it; `wanted`: what
 * will probably be asked for.
 */
export async function orderIds(
  evaluation: Evaluation,
  order: readonly SortKey[],
  position: CursorPosition | undefined,
  wanted?: Ranks,
): Promise<Listed> {
  const byId = order[0]?.field.name === 'id' && !order[0].field.via
  const mayDoubt = evaluation.leftOut.length > 0
  if (byId && wanted && !position && !mayDoubt && evaluation.view.isWhole)
    return { ordered: await rankedById(evaluation, order, wanted), doubtful: [] }
  const sources = order.map(({ field, descending }): SortSource => ({ keys: evaluation.keysOf(field), descending }))
  const selection = await selectRecords(evaluation, byId ? undefined : sources[0], evaluation.scratch, mayDoubt)
  const ordered = await orderSelection(selection, sources, position, evaluation.turn)
  return { ordered, doubtful: selection.doubtful }
}

/**
 * A list by id, of which only the ids that are wanted are noted. What follows them is evaluated anew if it is asked for:
 * records that turned out to be gone are not in it, so that it is found by the last id, and not by its rank.
 */
async function rankedById(evaluation: Evaluation, order: readonly SortKey[], wanted: Ranks): Promise<OrderedIds> {
  const { ids, count } = await selectByRank(evaluation, wanted, order[0]?.descending === true)
  const end = wanted.from + ids.length
  let following: Promise<Listed> | undefined
  return {
    count,
    total: count,
    async range(from, to) {
      const noted = ids.slice(from - wanted.from, to - wanted.from)
      const last = ids.at(-1)
      if (to <= end || end >= count || last === undefined) return noted
      const { ordered } = await (following ??= orderIds(evaluation, order, { id: last, values: [], seen: end }))
      return [...noted, ...(await ordered.range(Math.max(0, from - end), to - end))]
    },
    carried: () => Promise.resolve(carriedValues([])),
    without: async (gone) => (await orderIds(evaluation, order, undefined)).ordered.without(gone),
  }
}

async function orderSelection(
  selection: Selection,
  sources: readonly SortSource[],
  position: CursorPosition | undefined,
  turn: () => Promise<void> | undefined,
): Promise<OrderedIds> {
  const { ids } = selection
  const idsOf = (indexes: Uint32Array): Uint32Array => indexes.map((index) => ids[index] as number)
  const last = sources.at(-1) as SortSource
  const levels = sources.map((source, at): SortLevel => {
    const known = at === 0 ? selection.keys : undefined
    const keysOf = known
      ? (some?: Uint32Array) => copied(known, some)
      : (some?: Uint32Array) => keysOfIds(source, ids, some)
    return source === last
      ? { keysOf, along: last.descending ? 'falling' : 'rising' }
      : sortLevel(source, keysOf, idsOf)
  })
  return asOrdered(position && (await indexesAfter(position, { sources, levels, ids, idsOf })))

  /** `indexes`: undefined for all. */
  function asOrdered(indexes: Uint32Array | undefined, total = ids.length): OrderedIds {
    const count = indexes?.length ?? ids.length
    return {
      count,
      total,
      async range(from, to) {
        return Array.from(idsOf(await orderRange({ indexes, count: ids.length, levels, turn }, from, to)))
      },
      async carried(id) {
        const values: (Scalar | undefined)[] = []
        for (const { keys } of sources.slice(0, -1)) values.push((await keys.valuesOf([id]))[0])
        return carriedValues(values)
      },
      without(gone) {
        const kept = (indexes ?? every(ids.length)).filter((index) => !gone.has(ids[index] as number))
        return asOrdered(kept, total - gone.size)
      },
    }
  }
}

function every(length: number): Uint32Array {
  const indexes = new Uint32Array(length)
  for (let index = 0; index < length; index += 1) indexes[index] = index
  return indexes
}

/** The keys of some records, whose indexes rise; of all without indexes. */
function copied(keys: Float64Array, some: Uint32Array | undefined): Float64Array {
  if (!some) return keys
  const copy = new Float64Array(some.length)
  runLoop(copyKeys, keys, some, copy)
  return copy
}

function copyKeys(all: Float64Array, indexes: Uint32Array, keys: Float64Array): void {
  for (let i = 0; i < keys.length; i += 1) keys[i] = all[indexes[i]!]!
}

/** The same from the columns, in the order of the list; `ids` rise. */
function keysOfIds(
  { keys: source, descending }: SortSource,
  ids: Uint32Array,
  some: Uint32Array | undefined,
): Awaitable<Float64Array> {
  const ofSome = some ? some.map((index) => ids[index] as number) : ids
  return afterwards(readKeys(source.ready, ofSome, source.read), (keys) => {
    putInOrder(keys, descending)
    return keys
  })
}

/** The selected records, and how they are ordered. */
interface Sorting {
  readonly sources: readonly SortSource[]
  readonly levels: readonly SortLevel[]
  readonly ids: Uint32Array
  idsOf(indexes: Uint32Array): Uint32Array
}

/** The indexes of the records that come after a position, which may be that of a record that has changed or is gone. */
async function indexesAfter(position: CursorPosition, { sources, levels, ids, idsOf }: Sorting): Promise<Uint32Array> {
  const isLater = new Uint8Array(ids.length)
  /** Those that agree with the position so far; undefined for all. */
  let equal: Uint32Array | undefined
  for (const [at, carried] of position.values.entries()) {
    const { keys: source, descending } = sources[at] as SortSource
    const [current] = await source.valuesOf([position.id])
    const value = wholeValue(carried, at, current)
    const key = inOrder(value === null ? Number.NaN : source.keyOf(value), descending)
    const keys = await (levels[at] as SortLevel).keysOf(equal)
    const same = new Uint32Array(keys.length)
    let count = 0
    for (let i = 0; i < keys.length; i += 1) {
      const index = equal ? (equal[i] as number) : i
      if (keys[i] === key) same[count++] = index
      else if ((keys[i] as number) > key) isLater[index] = 1
    }
    equal = same.subarray(0, count)
    if (source.isExact || value === null) continue
    const agreeing = equal
    const compared = new Int8Array(count)
    await eachPiece(source.valuesOf, idsOf(agreeing), (values, from) => {
      for (const [index, one] of values.entries())
        compared[from + index] = Math.sign(compareInOrder(one, value, descending, source.compare))
    })
    for (let i = 0; i < count; i += 1) if (compared[i] === 1) isLater[agreeing[i] as number] = 1
    equal = agreeing.filter((_, i) => compared[i] === 0)
  }
  const { descending } = sources.at(-1) as SortSource
  for (const index of equal ?? every(ids.length)) {
    const id = ids[index] as number
    if (descending ? id < position.id : id > position.id) isLater[index] = 1
  }
  return every(ids.length).filter((index) => isLater[index] === 1)
}

/** The value of a position: the record's own while it still begins with what the cursor carries. */
function wholeValue(carried: Scalar | null, at: number, current: Scalar | undefined): Scalar | null {
  const isBeginning = mayBeCut(carried, at) && typeof current === 'string' && current.startsWith(carried as string)
  return isBeginning ? current : carried
}

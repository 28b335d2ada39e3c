import { chunkIds, compareScalars, runLoop, type Scalar } from '../../columns/service.ts'
import type { Evaluation } from '../evaluate/open-evaluation.ts'
import { orderRange, type SortLevel } from '../evaluate/order-range.ts'
import { putInOrder, selectRecords, type Selection } from '../evaluate/select.ts'
import { inOrder, sortLevel, type SortSource } from '../evaluate/sort-levels.ts'
import { carriedValues, type CursorPosition, mayBeCut } from './cursor.ts'
import type { SortKey } from './order.ts'

/** The records of a list in its order, of which only the asked for are sorted. */
export interface OrderedIds {
  /** How many there are; after a cursor, how many follow it. */
  readonly count: number
  /** How many there are before and after a cursor. */
  readonly total: number
  /** The ids at these ranks, `to` excluded. */
  range(from: number, to: number): readonly number[]
  /** The sort values of a record of the list, for a cursor. */
  carried(id: number): (Scalar | null)[]
  /** Leaves records out that turned out not to belong to the list; ranks move up. */
  without(ids: ReadonlySet<number>): OrderedIds
}

/** Evaluates a list on columns: selects its records and makes their order. `position`: only those after it. */
export async function orderIds(
  evaluation: Evaluation,
  order: readonly SortKey[],
  position: CursorPosition | undefined,
): Promise<{ readonly ordered: OrderedIds; readonly doubtful: readonly number[] }> {
  const sources = order.map(({ field, descending }): SortSource => ({ keys: evaluation.keysOf(field), descending }))
  const byId = order[0]?.field.name === 'id' && !order[0].field.via
  const selection = await selectRecords(
    evaluation,
    byId ? undefined : sources[0],
    evaluation.scratch,
    evaluation.leftOut.length > 0,
  )
  return { ordered: orderSelection(selection, sources, position), doubtful: selection.doubtful }
}

function orderSelection(
  selection: Selection,
  sources: readonly SortSource[],
  position: CursorPosition | undefined,
): OrderedIds {
  const { ids } = selection
  const idOf = (index: number): number => ids[index] as number
  const last = sources.at(-1) as SortSource
  const levels = sources.map((source, at): SortLevel => {
    const known = at === 0 ? selection.keys : undefined
    const keysOf = known
      ? (some?: Uint32Array) => copied(known, some)
      : (some?: Uint32Array) => keysOfIds(source, ids, some)
    return source === last ? { keysOf, along: last.descending ? 'falling' : 'rising' } : sortLevel(source, keysOf, idOf)
  })
  const isLater = position && laterThan(position, sources, levels, ids)
  return asOrdered(isLater ? indexesWhere(ids.length, isLater) : undefined)

  /** `indexes`: undefined for all. */
  function asOrdered(indexes: Uint32Array | undefined, total = ids.length): OrderedIds {
    const count = indexes?.length ?? ids.length
    return {
      count,
      total,
      range(from, to) {
        return Array.from(orderRange(indexes, ids.length, levels, from, to), idOf)
      },
      carried: (id) => carriedValues(sources.slice(0, -1).map(({ keys }) => keys.valueOf(id))),
      without(gone) {
        const kept = (indexes ?? every(ids.length)).filter((index) => !gone.has(idOf(index)))
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

function indexesWhere(length: number, test: (index: number) => boolean): Uint32Array {
  const found = new Uint32Array(length)
  let count = 0
  for (let index = 0; index < length; index += 1) if (test(index)) found[count++] = index
  return found.subarray(0, count)
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
): Float64Array {
  const length = some?.length ?? ids.length
  const keys = new Float64Array(length)
  const positions = new Uint16Array(chunkIds)
  for (let start = 0; start < length;) {
    const chunk = Math.floor((ids[some ? (some[start] as number) : start] as number) / chunkIds)
    const first = chunk * chunkIds
    let end = start
    for (; end < length; end += 1) {
      const id = ids[some ? (some[end] as number) : end] as number
      if (id >= first + chunkIds) break
      positions[end - start] = id - first
    }
    source.read(chunk, positions.subarray(0, end - start), keys, start)
    start = end
  }
  putInOrder(keys, descending)
  return keys
}

/** Whether a record comes after a position, which may be that of a record that has changed or is gone. */
function laterThan(
  position: CursorPosition,
  sources: readonly SortSource[],
  levels: readonly SortLevel[],
  ids: Uint32Array,
): (index: number) => boolean {
  const places = position.values.map((carried, at) => {
    const { keys, descending } = sources[at] as SortSource
    const value = wholeValue(carried, at, keys.valueOf(position.id))
    return { value, key: inOrder(value === null ? Number.NaN : keys.keyOf(value), descending) }
  })
  const { descending } = sources.at(-1) as SortSource
  const known: Float64Array[] = []
  const keysAt = (level: number): Float64Array => (known[level] ??= (levels[level] as SortLevel).keysOf(undefined))
  return (index) => {
    const id = ids[index] as number
    for (const [at, { key, value }] of places.entries()) {
      const mine = keysAt(at)[index] as number
      if (mine !== key) return mine > key
      const source = sources[at] as SortSource
      if (source.keys.isExact || value === null) continue
      const compared = compareScalars(source.keys.valueOf(id) ?? '', value)
      if (compared !== 0) return source.descending ? compared < 0 : compared > 0
    }
    return descending ? id < position.id : id > position.id
  }
}

/** The value of a position: the record's own while it still begins with what the cursor carries. */
function wholeValue(carried: Scalar | null, at: number, current: Scalar | undefined): Scalar | null {
  const isBeginning = mayBeCut(carried, at) && typeof current === 'string' && current.startsWith(carried as string)
  return isBeginning ? current : carried
}

import { compareText } from '../../columns/service.ts'
import type { TenantRef } from '../../kernel/tenancy.ts'
import { idText } from '../../store/keys/key.ts'
import { recordKey } from '../../store/keys/records.ts'
import { slotAttributes } from '../../store/slots.ts'
import type { KeyRange, Store } from '../../store/store.ts'
import { firstKey, isOneValue, lastKey, type Bounds } from './key-bounds.ts'
import { byId, lastId, type Candidate, type KeySpace, type SlotSpace } from './key-space.ts'
import { rowOf, type Row } from './row.ts'

/** The attributes of a record that a query needs: all but its slot entries. */
export const recordAttributes = [
  'pk',
  'sk',
  'tenant_id',
  'version',
  'created_by',
  'updated_by',
  'created_at',
  'updated_at',
  'data',
  'deleted_at',
] as const

/** How many records are read in parallel: ten calls of a hundred. */
const idsAtOnce = 1000

/** What one query has read, for `explain` and for its limits. */
export interface ReadCost {
  keysRead: number
  recordsRead: number
  calls: number
  /** The longest chain of calls that waited for one another. */
  roundTrips: number
  readonly spaces: Set<string>
}

export interface KeyPage {
  readonly found: readonly Candidate[]
  /** The last key read, if there are more: the next page begins after it. */
  readonly last?: string
}

export type Reader = ReturnType<typeof openReader>

/** The reads of one query, counted. */
export function openReader(store: Store, tenant: TenantRef, model: string) {
  const cost: ReadCost = { keysRead: 0, recordsRead: 0, calls: 0, roundTrips: 0, spaces: new Set() }

  async function counted<T>(calls: number, read: () => Promise<T>): Promise<T> {
    const depth = cost.roundTrips + 1
    cost.calls += calls
    const answered = await read()
    // Parallel calls begin at the same depth: together they are one round trip.
    cost.roundTrips = Math.max(cost.roundTrips, depth)
    return answered
  }

  const rangeOf = (space: KeySpace, bounds: Bounds, reverse: boolean, limit: number | undefined): KeyRange => ({
    pk: space.pk,
    ...conditionOf(bounds),
    reverse,
    limit,
    ...(space.index === undefined ? { livingOnly: true } : { index: space.index }),
  })

  /** The candidates of a range in key order: one call, at most `limit`. */
  async function page(
    space: KeySpace,
    bounds: Bounds,
    { reverse, limit }: { reverse: boolean; limit: number },
  ): Promise<KeyPage> {
    if (isEmpty(bounds)) return { found: [] }
    cost.spaces.add(space.name)
    const range = rangeOf(space, bounds, reverse, limit)
    if (space.index === undefined) {
      const { items, last } = await counted(1, () => store.query(tenant, { ...range, attributes: recordAttributes }))
      cost.recordsRead += items.length
      return {
        found: items.map((item) => ({ id: Number(item.sk), sort: String(item.sk), row: rowOf(item) })),
        last: last?.sk,
      }
    }
    const sort = slotAttributes(space.index).sort
    const { items, last } = await counted(1, () => store.query(tenant, { ...range, attributes: ['sk', sort] }))
    cost.keysRead += items.length
    return { found: items.map((item) => ({ id: Number(item.sk), sort: String(item[sort]) })), last: last?.[sort] }
  }

  /** Only the ids of a range of a slot, at half the cost of `page`. */
  async function idPage(
    space: SlotSpace,
    bounds: Bounds,
    limit: number,
  ): Promise<{ ids: readonly number[]; last?: string }> {
    if (isEmpty(bounds)) return { ids: [] }
    cost.spaces.add(space.name)
    const { items, last } = await counted(1, () =>
      store.query(tenant, { ...rangeOf(space, bounds, false, limit), attributes: ['sk'] }),
    )
    cost.keysRead += items.length
    return { ids: items.map(({ sk }) => Number(sk)), last: last?.[slotAttributes(space.index).sort] }
  }

  /** How many keys a range has, up to about `most`; `last` is the key where counting stopped before the end. */
  async function count(
    space: KeySpace,
    bounds: Bounds,
    most: number,
    reverse = false,
  ): Promise<{ count: number; last?: string }> {
    cost.spaces.add(space.name)
    let total = 0
    for (let left = bounds; !isEmpty(left);) {
      const range = rangeOf(space, left, reverse, Math.max(1, most - total))
      const answered = await counted(1, () => store.countPage(tenant, range))
      total += answered.count
      cost.keysRead += answered.count
      const last = answered.last?.[space.index === undefined ? 'sk' : slotAttributes(space.index).sort]
      if (last === undefined) break
      if (total >= most) return { count: total, last }
      left = beyond(left, last, reverse)
    }
    return { count: total }
  }

  /** The keys of the records with these ids in a slot, unordered. */
  async function keysOf(space: SlotSpace, ids: readonly number[]): Promise<readonly string[]> {
    const sort = slotAttributes(space.index).sort
    const items = await counted(1, () =>
      store.getMany(
        tenant,
        ids.map((id) => recordKey(tenant, model, id)),
        ['pk', 'sk', sort],
      ),
    )
    cost.recordsRead += ids.length
    return items.flatMap((item) => (item?.[sort] === undefined ? [] : [String(item[sort])]))
  }

  /** Records in the order of `ids`, undefined for each that does not exist. */
  async function rows(ids: readonly number[], from = model): Promise<(Row | undefined)[]> {
    const found: (Row | undefined)[] = []
    for (let start = 0; start < ids.length; start += idsAtOnce) {
      const keys = ids.slice(start, start + idsAtOnce).map((id) => recordKey(tenant, from, id))
      const items = await counted(Math.ceil(keys.length / 100), () => store.getMany(tenant, keys, recordAttributes))
      cost.recordsRead += keys.length
      found.push(...items.map(rowOf))
    }
    return found
  }

  return { tenant, model, cost, counted, page, idPage, count, keysOf, rows, ids: byId(tenant, model) }
}

/** The shortest key condition for a range: a prefix for one value, and no bound past the first or last key. */
function conditionOf(bounds: Bounds): Pick<KeyRange, 'prefix' | 'from' | 'to'> {
  if (isOneValue(bounds)) return { prefix: bounds.from }
  const { from, to } = bounds
  return { ...(from > firstKey && { from }), ...(to !== lastKey && to !== lastId && { to }) }
}

/** DynamoDB refuses a range whose end is before its start. */
const isEmpty = ({ from, to }: Bounds): boolean => compareText(from, to) >= 0

/** The rest of a range after its key `last`. */
export const beyond = (bounds: Bounds, last: string, reverse: boolean): Bounds =>
  reverse ? { from: bounds.from, to: beforeKey(last) } : { from: afterKey(last), to: bounds.to }

/** Every key ends with the twelve digits of an id, so these lie between two keys. */
export const afterKey = (key: string): string => `${key}~`
export const beforeKey = (key: string): string => `${key.slice(0, -12)}${idText(Number(key.slice(-12)) - 1)}~`

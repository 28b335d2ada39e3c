/**
 * What calls cost in request units (Developer Guide, "DynamoDB read and write operations" and "Using Global Secondary
 * Indexes", provisioned throughput considerations). Computed only for calls that are metered.
 */
import { type Item, itemSizeBytes, sameItem } from '../items/attribute-value.ts'
import { belongsTo, projectItem } from '../items/index-entries.ts'
import { indexKey } from '../items/key-encoding.ts'
import type { Index, Table } from '../tables/table.ts'

/** Units that a call consumed on a table or on one of its indexes. */
export interface Charge {
  readonly kind: 'read' | 'write'
  readonly table: string
  /** The index that was read or changed; undefined for the table itself. */
  readonly index?: string
  /** Tells partition keys apart; undefined for a scan. */
  readonly partition?: string
  readonly units: number
  /** Size of what was read or written, before it is rounded up. */
  readonly bytes: number
}

/** Receives the charges of a call, before it takes effect: what it throws refuses the call. */
export type Spend = (charge: Charge) => void

export type Consistency = 'eventual' | 'strong' | 'transactional'

const readStepBytes = 4096
const writeStepBytes = 1024
const unitsPerReadStep: Record<Consistency, number> = { eventual: 0.5, strong: 1, transactional: 2 }

/**
 * Charges a read: steps of 4 KB, at least one, so that reading nothing costs as well. `bytes`: before filters. `key`: where it
 * begins within the table or index.
 */
export function chargeRead(
  spend: Spend,
  { table, index, key }: { readonly table: Table; readonly index?: Index; readonly key?: string },
  bytes: number,
  consistency: Consistency,
): void {
  const units = steps(bytes, readStepBytes) * unitsPerReadStep[consistency]
  spend({ kind: 'read', table: table.name, index: index?.name, partition: partitionOfKey(key), units, bytes })
}

/**
 * Charges the write of one item to its table: steps of 1 KB of the larger of the old and the new item, at least one.
 * A write that is refused by its condition, changes nothing or deletes nothing costs the same.
 */
export function chargeWrite(
  spend: Spend,
  { table, key }: { readonly table: Table; readonly key: string },
  before: Item | undefined,
  after: Item | undefined,
): void {
  charge(spend, table, undefined, key, Math.max(sizeOf(before), sizeOf(after)))
}

/**
 * Charges the index entries that a write changes: a new or removed entry once, an entry in another place twice (a
 * delete and a put), an entry whose projected attributes change by the larger of both, an unchanged entry nothing.
 */
export function chargeIndexes(
  spend: Spend,
  { table, before, after }: { readonly table: Table; readonly before?: Item; readonly after?: Item },
): void {
  for (const index of table.indexes) {
    const old = entryOf(index, before)
    const now = entryOf(index, after)
    if (old && now && isSamePlace(index, old, now)) {
      if (!sameItem(old, now)) charge(spend, table, index, indexKey(index, now, ''), Math.max(sizeOf(old), sizeOf(now)))
      continue
    }
    if (old) charge(spend, table, index, indexKey(index, old, ''), sizeOf(old))
    if (now) charge(spend, table, index, indexKey(index, now, ''), sizeOf(now))
  }
}

/** A transaction prepares and commits each item, so its writes to tables cost twice. Indexes follow the commit, once. */
export const twice =
  (spend: Spend): Spend =>
  (one) =>
    spend({ ...one, units: 2 * one.units })

function charge(spend: Spend, table: Table, index: Index | undefined, key: string, bytes: number): void {
  const units = steps(bytes, writeStepBytes)
  spend({ kind: 'write', table: table.name, index: index?.name, partition: partitionOfKey(key), units, bytes })
}

/** `<hash>/<partition key>` of a stored key; undefined when it names no partition. */
function partitionOfKey(key = ''): string | undefined {
  const end = key.indexOf('/', key.indexOf('/') + 1)
  return end <= 0 ? undefined : key.slice(0, end)
}

const steps = (bytes: number, stepBytes: number): number => Math.max(1, Math.ceil(bytes / stepBytes))
const sizeOf = (item: Item | undefined): number => (item ? itemSizeBytes(item) : 0)

const entryOf = (index: Index, item: Item | undefined): Item | undefined =>
  item && belongsTo(index, item) ? projectItem(index, item) : undefined

const isSamePlace = (index: Index, a: Item, b: Item): boolean =>
  index.keys.every(({ name, type }) => a[name]![type] === b[name]![type])

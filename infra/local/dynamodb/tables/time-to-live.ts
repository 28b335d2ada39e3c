/** Time to live: rows ordered by due time are stored next to the items, so that a sweep reads only what is due. */
import type { Op, Storage } from '../../runtime/storage/storage.ts'
import type { Item } from '../items/attribute-value.ts'
import { invalid } from '../service-error.ts'
import type { ItemLocks } from '../write/item-locks.ts'
import type { Change } from '../write/plan-write.ts'
import { backfill, deleteRange } from './backfill.ts'
import type { Catalogue } from './catalogue.ts'
import type { Table } from './table.ts'

/** AWS does not delete items that expired more than five years ago (Developer Guide, "Time to Live"). */
const maxOverdueSeconds = 5 * 365 * 24 * 3600
const sweepRun = 100

/** The operations on expiry rows for a change of an item. */
export function expiryOps(table: Table, key: string, before: Item | undefined, after: Item | undefined): Op[] {
  const rowBefore = before && expiryRow(table, key, before)
  const rowAfter = after && expiryRow(table, key, after)
  if (rowBefore === rowAfter) return []
  const ops: Op[] = []
  if (rowBefore !== undefined) ops.push({ type: 'del', key: rowBefore })
  if (rowAfter !== undefined) ops.push({ type: 'put', key: rowAfter, value: '' })
  return ops
}

function expiryRow(table: Table, key: string, item: Item): string | undefined {
  const seconds = expirySeconds(table, item)
  return seconds === undefined ? undefined : `${table.expiryPrefix}${padded(seconds)}/${key}`
}

/** Epoch seconds; undefined when the attribute is missing, not a number, or out of range. */
function expirySeconds(table: Table, item: Item): number | undefined {
  const value = item[table.timeToLiveAttribute!]?.N
  const seconds = value === undefined ? Number.NaN : Math.floor(Number(value))
  return seconds > 0 && seconds < 1e12 ? seconds : undefined
}

function padded(seconds: number): string {
  return String(seconds).padStart(12, '0')
}

/**
 * Deletes the expired items of a table and returns their number. Deletions appear in the stream as made by the
 * service. An item whose time to live changed meanwhile is kept.
 */
export async function sweepExpired(
  storage: Storage,
  locks: ItemLocks,
  writer: { write(changes: readonly Change[]): Promise<void> },
  table: Table,
  nowSeconds: number,
): Promise<number> {
  const oldest = Math.max(0, nowSeconds - maxOverdueSeconds)
  let swept = 0
  let from = table.expiryPrefix + padded(oldest)
  for (;;) {
    const due = await storage.range({ gt: from, lt: table.expiryPrefix + padded(nowSeconds), limit: sweepRun })
    const outcomes = await Promise.all(
      due.map(([row]) => {
        const key = row.slice(table.expiryPrefix.length + padded(0).length + 1)
        return locks.hold([table.itemPrefix + key], () => expire(key))
      }),
    )
    swept += outcomes.filter(Boolean).length
    if (due.length < sweepRun) return swept
    from = due.at(-1)![0]
  }

  async function expire(key: string): Promise<boolean> {
    const beforeText = storage.get(table.itemPrefix + key)
    if (beforeText === undefined) return false
    const before = JSON.parse(beforeText) as Item
    const seconds = expirySeconds(table, before)
    if (seconds === undefined || seconds >= nowSeconds) return false
    await writer.write([{ table, key, before, beforeText, expired: true }])
    return true
  }
}

interface TimeToLiveParts {
  storage: Storage
  locks: ItemLocks
  catalogue: Catalogue
}

export async function updateTimeToLive(parts: TimeToLiveParts, input: object): Promise<object> {
  const { TableName, TimeToLiveSpecification: wanted } = input as {
    TableName?: unknown
    TimeToLiveSpecification?: { Enabled?: unknown; AttributeName?: unknown }
  }
  const { Enabled: enabled, AttributeName: attribute } = wanted ?? {}
  if (typeof enabled !== 'boolean' || typeof attribute !== 'string' || attribute.length < 1 || attribute.length > 255) {
    throw invalid(
      '1 validation error detected: TimeToLiveSpecification must have Enabled and an AttributeName of 1 to 255 characters',
    )
  }
  const table = parts.catalogue.get(String(TableName))
  if (enabled === (table.timeToLiveAttribute !== undefined))
    throw invalid(`TimeToLive is already ${enabled ? 'enabled' : 'disabled'}`)
  if (!enabled && attribute !== table.timeToLiveAttribute) {
    throw invalid(
      `TimeToLive is active on a different AttributeName: current AttributeName is ${table.timeToLiveAttribute}`,
    )
  }
  await setTimeToLive(parts, table, enabled ? attribute : undefined)
  return { TimeToLiveSpecification: { Enabled: enabled, AttributeName: attribute } }
}

export function describeTimeToLive({ timeToLiveAttribute: AttributeName }: Table): object {
  return {
    TimeToLiveDescription:
      AttributeName === undefined ? { TimeToLiveStatus: 'DISABLED' } : { TimeToLiveStatus: 'ENABLED', AttributeName },
  }
}

/** Enables, changes or disables time to live, and writes the expiry rows of existing items. */
export async function setTimeToLive(
  parts: TimeToLiveParts,
  table: Table,
  attribute: string | undefined,
): Promise<void> {
  const { storage, catalogue } = parts
  const { timeToLiveAttribute: _, description } = table
  const now = await catalogue.replace({
    description,
    ...(attribute !== undefined && { timeToLiveAttribute: attribute }),
  })
  await deleteRange(storage, now.expiryPrefix)
  if (attribute === undefined) return
  await backfill(parts, now, (key, item) => expiryOps(now, key, undefined, item))
}

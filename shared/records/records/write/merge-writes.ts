import { isoTime } from '../../../kernel/time/clock.ts'
import type { ConversationParts } from '../../../platform/store/rows/conversation-state.ts'
import { moveRecordCount } from '../../../platform/store/sequence/recount.ts'
import type { Write } from '../../../platform/store/store.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import { and, atVersion, has, lacks } from '../../../platform/store/writes/conditions.ts'
import { rollupsOf } from '../../../tables/tables/checks/check-rollups.ts'
import type { Table } from '../../../tables/tables/table.ts'
import type { Actor } from '../actor.ts'
import type { RecordDependencies } from '../dependencies.ts'
import {
  lookedAtAgain,
  readChangedAt,
  readRecord,
  recordItem,
  type StoredRecord,
  touchedRollups,
} from '../record-item.ts'

type Dependencies = Pick<RecordDependencies, 'clock'>

/**
 * The writes that make a record part of another: it leaves lists and counts, and keeps its row, its unique values and its
 * history. They are refused when the record has changed since it was read, or its hooks have not ended.
 */
export function mergeWrites(
  { clock }: Dependencies,
  actor: Actor,
  table: Table,
  item: Item,
  { into, survivorVersion }: { readonly into: number; readonly survivorVersion: number },
): Write[] {
  const { unmergedBy: _, ...before } = readRecord(item, table) as StoredRecord
  const after = { ...nextVersion(clock, actor, before, item), mergedInto: into }
  const put = {
    ...recordItem(table, after, { ...actor, skipsNotifications: true }, clock.uuid()),
    ...touchedRollups(table, before.data),
    ...lookedAtAgain,
    survivor_version: survivorVersion,
  }
  return [
    { put, if: and(atVersion(before.version), lacks('deleted_at'), lacks('merged_into'), lacks('after_due')) },
    moveRecordCount(actor.tenant, table.name, [before.id], -1),
  ]
}

/**
 * The writes that make a merged record one of its own again, with its conversations as they are by now. They are refused when it
 * is no longer as it was read.
 */
export function unmergeWrites(
  { clock }: Dependencies,
  actor: Actor,
  table: Table,
  item: Item,
  conversation: ConversationParts,
): Write[] {
  const { mergedInto: _, ...before } = readRecord(item, table) as StoredRecord
  const after = {
    ...nextVersion(clock, actor, before, item),
    conversation,
    // What of it fails may be repeated.
    ...(actor.batchId !== undefined && { unmergedBy: actor.batchId }),
  }
  const own = rollupsOf(table).length > 0 ? [`${table.name}#${before.id}`] : []
  const { touched } = touchedRollups(table, before.data)
  const all = [...own, ...(touched === undefined ? [] : [touched])]
  const put = {
    ...recordItem(table, after, { ...actor, skipsNotifications: true }, clock.uuid()),
    ...(all.length > 0 && { touched: all.join(' ') }),
  }
  return [
    { put, if: and(atVersion(before.version), lacks('deleted_at'), has('merged_into')) },
    moveRecordCount(actor.tenant, table.name, [before.id], 1),
  ]
}

/**
 * The write of a version of a record that lost comments or messages to another: its fields stay. It is refused when the record
 * has changed since it was read, or its hooks have not ended.
 */
export function splitWrite(
  { clock }: Dependencies,
  actor: Actor,
  table: Table,
  item: Item,
  { into, conversation }: { readonly into: number; readonly conversation: ConversationParts | undefined },
): Write {
  const before = readRecord(item, table) as StoredRecord
  const after = { ...nextVersion(clock, actor, before, item), ...(conversation && { conversation }) }
  const author = { ...actor, split: { into }, skipsNotifications: true as const }
  return {
    put: recordItem(table, after, author, clock.uuid()),
    if: and(atVersion(before.version), lacks('deleted_at'), lacks('merged_into'), lacks('after_due')),
  }
}

const nextVersion = (
  clock: Dependencies['clock'],
  { userId }: Actor,
  before: StoredRecord,
  item: Item,
): StoredRecord => ({
  ...before,
  version: before.version + 1,
  updated_by: userId,
  updated_at: isoTime(Math.max(clock.now(), Date.parse(readChangedAt(item)))),
})

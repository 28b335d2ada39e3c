import type { VersionMatch } from '../../kernel/failures/concurrent-change.ts'
import { type Fault, NotFound } from '../../kernel/failures/faults.ts'
import { mergedRecord } from '../../kernel/failures/merged-record.ts'
import { stateOfConversation } from '../../platform/store/rows/conversation-state.ts'
import {
  readEditedVersion,
  readLivingRecord,
  readMergedInto,
  type RecordData,
  type StoredRecord,
} from '../../platform/store/rows/record-row.ts'
import type { Item } from '../../platform/store/values/marshal.ts'
import type { Table } from '../../tables/tables/table.ts'
import type { EntityRecord } from './schema.ts'

export { touchedRollups } from '../../platform/store/rows/touched-rollups.ts'
export {
  type BeforeDelete,
  lookedAtAgain,
  markedItem,
  readBeforeDelete,
  recordItem,
  toldToWatchers,
} from '../../platform/store/rows/write-record-row.ts'
export {
  asUnmerged,
  readLivingRecord,
  readMergedInto,
  readRecord,
  readChangedAt,
  type RecordData,
  type StoredRecord,
} from '../../platform/store/rows/record-row.ts'

/** Whether a writer who knows one of these versions knows all that writers have made of the record. */
export function isKnownVersion(matches: VersionMatch, item: Item): boolean {
  for (let version = readEditedVersion(item); version <= Number(item.version); version += 1)
    if (matches(version)) return true
  return false
}

/** Why a record cannot be written: it was merged into another, or there is none. */
export function goneRecord(model: string, id: number, item: Item | null | undefined): Fault {
  const into = readMergedInto(item)
  return into === undefined ? new NotFound('record', { model, id }) : mergedRecord(model, id, into)
}

/** The record, or `item` when that is a newer version of it. */
export function newerOf(table: Table, record: StoredRecord, item: Item | undefined): StoredRecord {
  const current = item?.kind === 'record' ? readLivingRecord(item, table) : undefined
  return current && current.version > record.version ? current : record
}

/** The fields that readers see: values of retired fields are left out, and with `readable` all but these fields. */
export const visibleData = (table: Table, data: RecordData, readable?: ReadonlySet<string>): Record<string, unknown> =>
  table.retired.length === 0 && !readable
    ? { ...data }
    : Object.fromEntries(
        Object.entries(data).filter(([name]) => table.fieldsByName.has(name) && (readable?.has(name) ?? true)),
      )

/** The record as clients receive it. `readable`: the fields that field rules leave; undefined: all. */
export function answerRecord(
  table: Table,
  record: StoredRecord,
  readable: ReadonlySet<string> | undefined,
): EntityRecord {
  const conversation = stateOfConversation(record.conversation)
  return {
    id: record.id,
    tenant_id: record.tenant_id,
    created_by: record.created_by,
    updated_by: record.updated_by,
    created_at: record.created_at,
    updated_at: record.updated_at,
    version: record.version,
    ...(conversation && { conversation }),
    data: visibleData(table, record.data, readable),
    ...(record.mergedInto !== undefined && { merged_into: record.mergedInto }),
    ...(record.mergedFrom && { merged_from: [...record.mergedFrom] }),
  }
}

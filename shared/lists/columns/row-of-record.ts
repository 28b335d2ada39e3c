import { log } from '../../kernel/runtime/log.ts'
import {
  isLiving,
  readOpaqueFields,
  readRecordData,
  readRecordHead,
  type StoredRecord,
} from '../../platform/store/rows/record-row.ts'
import { asStored, type NamedFields, withStoredNames } from '../../platform/store/rows/stored-names.ts'
import type { Item } from '../../platform/store/values/marshal.ts'
import { columnValues } from './column-values.ts'
import type { LogRow } from './log-entry.ts'

/** What a living record is like. */
export const rowOfStored = (
  record: StoredRecord,
  table: NamedFields & { readonly opaqueFields?: readonly string[] },
): LogRow => ({
  id: record.id,
  version: record.version,
  isGone: false,
  values: columnValues(record, withStoredNames(table, record.data), table.opaqueFields),
})

/** What a record's row says; a record that is being deleted is gone. Throws a SyntaxError for unreadable fields. */
export function rowOfRecord(item: Item): LogRow {
  const head = readRecordHead(item)
  const { id, version } = head
  return isLiving(item)
    ? { id, version, isGone: false, values: columnValues(head, readRecordData(item, asStored), readOpaqueFields(item)) }
    : goneRow(id, version)
}

/** Hears of a record whose fields cannot be read. */
export type TellUnreadable = (id: number, cause: unknown) => void

const logUnreadable: TellUnreadable = (id, cause) => log.error('a record is unreadable', cause, { record_id: id })

/**
 * The same, but a record whose fields are unreadable is gone at its version: it must not keep the others of its table
 * from being found.
 */
export function readableRow(item: Item, tell: TellUnreadable = logUnreadable): LogRow {
  try {
    return rowOfRecord(item)
  } catch (cause) {
    const { id, version } = readRecordHead(item)
    tell(id, cause)
    return goneRow(id, version)
  }
}

/** The row of a record that is not there any more. `version`: its last, as far as known. */
export const goneRow = (id: number, version: number): LogRow => ({ id, version, isGone: true, values: new Map() })

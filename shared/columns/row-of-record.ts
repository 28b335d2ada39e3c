import type { Item } from '../store/marshal.ts'
import { isLiving, readRecordData, readRecordHead } from '../store/rows/record-row.ts'
import { columnValues } from './column-values.ts'
import type { LogRow } from './log-entry.ts'

/** What a record's row says; a record that is being deleted is gone. Throws a SyntaxError for unreadable fields. */
export function rowOfRecord(item: Item): LogRow {
  const head = readRecordHead(item)
  const { id, version } = head
  return isLiving(item)
    ? { id, version, isGone: false, values: columnValues(head, readRecordData(item)) }
    : goneRow(id, version)
}

/** The row of a record that is not there any more. `version`: its last, as far as known. */
export const goneRow = (id: number, version: number): LogRow => ({ id, version, isGone: true, values: new Map() })

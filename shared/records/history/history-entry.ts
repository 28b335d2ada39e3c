import { isDeepStrictEqual } from 'node:util'
import { readRecordData, readRecordWrite, type RecordData } from '../../platform/store/rows/record-row.ts'
import { asStored } from '../../platform/store/rows/stored-names.ts'
import type { Item } from '../../platform/store/values/marshal.ts'
import type { FieldChange } from '../../platform/trail/service.ts'

/** What one version of a record changed, and by whom. */
export interface HistoryEntry {
  readonly tenantId: number
  readonly model: string
  readonly recordId: number
  readonly version: number
  readonly action: 'create' | 'update' | 'delete'
  readonly userId: number
  readonly impersonatorId?: number
  readonly source?: string
  readonly batchId?: number
  readonly at: string
  readonly changes: Readonly<Record<string, FieldChange>>
}

/**
 * The history entry of one write, from the images of the record before and after it. A pure function, so that a
 * repeated stream record writes the same row. Undefined when the write made no new version.
 */
export function historyEntry(before: Item | undefined, after: Item): HistoryEntry | undefined {
  if (before?.version === after.version) return undefined
  const write = readRecordWrite(after)
  const { isDelete, impersonatorId, source, batchId } = write
  const data = readRecordData(after, asStored)
  return {
    tenantId: write.tenantId,
    model: write.model,
    recordId: write.id,
    version: write.version,
    userId: write.userId,
    ...(impersonatorId !== undefined && { impersonatorId }),
    ...(source !== undefined && { source }),
    ...(batchId !== undefined && { batchId }),
    at: write.at,
    action: isDelete ? 'delete' : before ? 'update' : 'create',
    changes: isDelete ? dataChanges(data, {}) : dataChanges(before ? readRecordData(before, asStored) : {}, data),
  }
}

function dataChanges(before: RecordData, after: RecordData): Record<string, FieldChange> {
  const changes = new Map<string, FieldChange>()
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [was, is] = [before[name] ?? null, after[name] ?? null]
    if (!isDeepStrictEqual(was, is)) changes.set(name, { old: was, new: is })
  }
  return Object.fromEntries(changes)
}

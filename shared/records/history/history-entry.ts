import { isDeepStrictEqual } from 'node:util'
import {
  readMergedFrom,
  readMergedInto,
  readRecordData,
  readRecordWrite,
  type RecordData,
} from '../../platform/store/rows/record-row.ts'
import { asStored } from '../../platform/store/rows/stored-names.ts'
import { readJson } from '../../platform/store/values/json-attribute.ts'
import type { Item } from '../../platform/store/values/marshal.ts'
import type { FieldChange, MergeChange } from '../../platform/trail/trail-event.ts'

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
  /** What was merged, or unmerged, by this version: the record itself into another, or others into it. */
  readonly merge?: MergeChange
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
    ...mergeOf(before, after),
  }
}

function mergeOf(before: Item | undefined, after: Item): { readonly merge?: MergeChange } {
  if (after.split !== undefined && after.split !== before?.split) {
    const split = readJson<{ from: number } | { into: number }>(after, 'split')
    return { merge: 'from' in split ? { split_from: split.from } : { split_into: split.into } }
  }
  const [wasInto, isInto] = [before && readMergedInto(before), readMergedInto(after)]
  if (wasInto !== isInto && before) {
    if (isInto !== undefined) return { merge: { into: isInto } }
    if (wasInto !== undefined && after.deleted_at === undefined) return { merge: { unmerged_from: wasInto } }
  }
  const [were, are] = [before ? readMergedFrom(before) : [], readMergedFrom(after)]
  const [more] = are.filter((id) => !were.includes(id))
  if (more !== undefined) return { merge: { from: more } }
  const [less] = were.filter((id) => !are.includes(id))
  return less === undefined ? {} : { merge: { unmerged: less } }
}

function dataChanges(before: RecordData, after: RecordData): Record<string, FieldChange> {
  const changes = new Map<string, FieldChange>()
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [was, is] = [before[name] ?? null, after[name] ?? null]
    if (!isDeepStrictEqual(was, is)) changes.set(name, { old: was, new: is })
  }
  return Object.fromEntries(changes)
}

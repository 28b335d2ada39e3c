import { isDeepStrictEqual } from 'node:util'
import type { Item } from '../store/marshal.ts'
import type { FieldChange } from '../trail/service.ts'

/** One row of history: what one version of a record changed, by whom. */
export interface HistoryEntry {
  readonly tenantId: number
  readonly model: string
  readonly recordId: number
  readonly version: number
  readonly action: 'create' | 'update' | 'delete'
  readonly userId: number
  readonly impersonatorId?: number
  readonly source?: string
  readonly at: string
  readonly changes: Readonly<Record<string, FieldChange>>
}

type Data = Readonly<Record<string, unknown>>

/**
 * The history entry of one write of a record, from the images before and after it: a pure function, so that a repeated
 * stream record writes the same row again. undefined when the write made no new version.
 */
export function historyEntry(before: Item | undefined, after: Item): HistoryEntry | undefined {
  if (before?.version === after.version) return undefined
  const isDelete = after.deleted_at !== undefined
  return {
    tenantId: Number(after.tenant_id),
    model: String(after.model),
    recordId: Number(after.sk),
    version: Number(after.version),
    action: isDelete ? 'delete' : before ? 'update' : 'create',
    userId: Number(isDelete ? after.deleted_by : after.updated_by),
    ...(after.impersonator_id !== undefined && { impersonatorId: Number(after.impersonator_id) }),
    ...(after.source !== undefined && { source: String(after.source) }),
    at: String(isDelete ? after.deleted_at : after.updated_at),
    changes: isDelete ? dataChanges(readData(after), {}) : dataChanges(before ? readData(before) : {}, readData(after)),
  }
}

const readData = (item: Item): Data => JSON.parse(String(item.data)) as Data

function dataChanges(before: Data, after: Data): Record<string, FieldChange> {
  const changes: Record<string, FieldChange> = {}
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [was, is] = [before[name] ?? null, after[name] ?? null]
    if (!isDeepStrictEqual(was, is)) changes[name] = { old: was, new: is }
  }
  return changes
}

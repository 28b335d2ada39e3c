import type { BulkChange } from '../api/bulk.ts'
import type { Macro } from '../api/macros.ts'
import type { RecordData } from '../api/records.ts'

/** What is done with many records: fields are changed, they are deleted, or a macro runs on each. */
export type BulkAction = 'set' | 'delete' | Macro

/** What the service is asked for. */
export function bulkChangeOf(action: BulkAction, set: RecordData): BulkChange {
  if (action === 'delete') return { delete: true }
  return action === 'set' ? { set } : { macro: action.id }
}

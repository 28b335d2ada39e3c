import type { MarkedRecord } from '../../../../shared/records/records/delete/finish-removal.ts'
import { markedItem } from '../../../../shared/records/records/record-item.ts'
import { tableOf } from '../lists/query-records.ts'

const at = '2026-11-20T08:00:00.000Z'
export const letters = tableOf(101, 'letters', [{ name: 'title', type: 'text' }])

/** A letter whose delete has begun. */
export const markedLetter = (id: number, changes: Partial<MarkedRecord> = {}): MarkedRecord => ({
  id,
  tenant_id: 7,
  created_by: 3,
  created_at: at,
  updated_by: 3,
  updated_at: at,
  version: 4,
  data: { title: 'Hello' },
  deletedAt: at,
  deletedBy: 3,
  ...changes,
})

/** Its row. */
export const markedLetterItem = (tenant: { readonly id: number }, marked: MarkedRecord, round = 1) =>
  markedItem(
    letters,
    marked,
    { tenant: { slug: 'acme', name: 'Acme', configVersion: 1, ...tenant }, userId: 3 },
    'mark',
    {
      dueAt: at,
      queued: true,
      round,
    },
  )

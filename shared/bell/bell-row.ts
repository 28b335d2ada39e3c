import type { TenantRef } from '../kernel/tenancy.ts'
import type { Key } from '../store/keys/key.ts'
import { bellKey } from '../store/keys/scripts.ts'
import type { Item } from '../store/marshal.ts'

/** A notification of the bell. */
export interface BellNotification {
  readonly id: number
  readonly userId: number
  readonly title: string
  readonly text: string
  readonly url: string | null
  readonly category: string
  readonly createdAt: string
  /** The record that it is about. */
  readonly model: string
  readonly recordId: number | null
  readonly runId: string | null
}

/** The row of an unread notification. Nothing reads it yet: the endpoints of the bell will. */
export const bellItem = (tenant: TenantRef, one: BellNotification): Item & Key => ({
  ...bellKey(tenant, one.userId, one.id),
  kind: 'notification',
  v: 1,
  id: one.id,
  user_id: one.userId,
  title: one.title,
  text: one.text,
  url: one.url,
  category: one.category,
  is_read: false,
  created_at: one.createdAt,
  model: one.model,
  record_id: one.recordId,
  run_id: one.runId,
})

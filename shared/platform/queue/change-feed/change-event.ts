import * as z from 'zod'
import { tenantLane } from '../message-attributes.ts'
import { MessageVersion } from '../message-version.ts'
import type { MessageOrder } from '../send.ts'

/** The message that consumers receive about a change. It names the record, and never holds its data. */
export const ChangeEvent = z.object({
  v: MessageVersion,
  tenant_id: z.int(),
  model: z.string(),
  id: z.int(),
  version: z.int(),
  action: z.enum(['create', 'update', 'delete']),
  actor: z.int(),
  /** ISO time of the change. */
  at: z.string().optional(),
  /** The administrator who acted as `actor`. */
  impersonator: z.int().optional(),
  source: z.string().nullable(),
  /** How many steps of processes led to the change, each caused by the one before. */
  hops: z.int().optional(),
  /** The people who watch the record are notified. */
  watched: z.literal(true).optional(),
  /** The record was merged into another, or is: its processes end. */
  merged: z.literal(true).optional(),
  /** To the record cleanup: it looks again for references to the record, which is deleted or merged. */
  look_again: z.literal(true).optional(),
  /** The comment or message that changed, for the index of what was said; `id` is its place there. */
  said: z
    .union([
      z.object({ comment: z.int(), model: z.string(), record_id: z.int(), is_internal: z.boolean() }),
      z.object({ message: z.int() }),
    ])
    .optional(),
  /** The request that caused it, for logs. */
  request_id: z.string().optional(),
})
export type ChangeEvent = z.output<typeof ChangeEvent>

/** The order of changes of a record: by their versions. A tenant that changes thousands keeps nobody else waiting. */
export function orderOfRecord({
  tenant_id: tenantId,
  model,
  id,
  version,
}: Pick<ChangeEvent, 'tenant_id' | 'model' | 'id' | 'version'>): MessageOrder {
  const record = `${tenantId}.${model}.${id}`
  return { group: tenantLane(tenantId, record), id: `${record}.${version}` }
}

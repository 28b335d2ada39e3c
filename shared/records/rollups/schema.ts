import * as z from 'zod'
import { MessageVersion } from '../../platform/queue/message-version.ts'

/** A write of a record that rollups count. */
export const TouchedRollups = z.object({
  v: MessageVersion,
  tenant_id: z.int(),
  /** The table of the record, and its id; with `to`, those of all records of the same transaction. */
  model: z.string(),
  id: z.int(),
  to: z.int().optional(),
  /** The records whose rollups it touches: `clients#5 clients#7`. */
  touched: z.string(),
  request_id: z.string().optional(),
})
export type TouchedRollups = z.output<typeof TouchedRollups>

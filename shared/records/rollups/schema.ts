import * as z from 'zod'
import { MessageVersion } from '../../platform/queue/message-version.ts'

/** A write of a record that rollups count, or a rollup that is made once more. */
export const TouchedRollups = z.object({
  v: MessageVersion,
  tenant_id: z.int(),
  /** The written record; left out where a rollup is made once more. */
  model: z.string().optional(),
  id: z.int().optional(),
  /** With `id`: the last one of all records of the same transaction. */
  to: z.int().optional(),
  /** The records whose rollups it touches: `clients#5 clients#7`. */
  touched: z.string(),
  request_id: z.string().optional(),
})
export type TouchedRollups = z.output<typeof TouchedRollups>

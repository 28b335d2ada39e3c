import * as z from 'zod'

/** What fan-out tells consumers of a change: enough to decide and to read the rest; never the data itself. */
export const ChangeEvent = z.object({
  v: z.literal(1),
  tenant_id: z.int(),
  model: z.string(),
  id: z.int(),
  version: z.int(),
  action: z.enum(['create', 'update', 'delete']),
  actor: z.int(),
  source: z.string().nullable(),
  /** Steps of processes that led to it, one to the next. */
  hops: z.int().optional(),
})
export type ChangeEvent = z.output<typeof ChangeEvent>

import * as z from 'zod'

const Person = z.object({ id: z.int(), name: z.string() })

/** One audit history entry; `id` is the record's version that the change produced. */
export const HistoryEntryAnswer = z.object({
  id: z.int(),
  action: z.enum(['create', 'update', 'delete']),
  user: Person,
  changes: z
    .record(z.string(), z.object({ old: z.unknown(), new: z.unknown() }))
    .meta({ description: 'Field name to the value before and after; only changed fields.' }),
  created_at: z.string(),
  impersonator: Person.optional().meta({ description: 'The administrator who acted as the user.' }),
  source: z.string().optional().meta({ description: 'What made the change when it was no request of the user itself.' }),
})
export type HistoryEntryAnswer = z.output<typeof HistoryEntryAnswer>

import * as z from 'zod'
import { isoTime } from '../../kernel/time/clock.ts'
import { Moment } from '../history/schema.ts'

export const SnoozeInput = z.strictObject({
  until: Moment.nullable().meta({
    description: `Until when: ${isoTime(Date.UTC(2026, 10, 23, 8))}. Without an offset UTC; null ends it.`,
    type: 'string',
  }),
})

export const SnoozedRecord = z.object({
  id: z.int().meta({ description: 'Id of the record.' }),
  model: z.string().meta({ description: 'Name of the table.' }),
  snoozed_until: z.string().nullable(),
})
export type SnoozedRecord = z.output<typeof SnoozedRecord>

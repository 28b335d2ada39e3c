import * as z from 'zod'
import { parseDatetime } from '../../kernel/time/parse-date.ts'
import { PageQuery, queryId } from '../../platform/http/paging/page-query.ts'
import { trailActions } from '../../platform/trail/trail-event.ts'

const Person = z.object({ id: z.int(), name: z.string() })

/** One history entry. `id` is the version of the record that the change made. */
export const HistoryEntryAnswer = z.object({
  id: z.int(),
  action: z.enum(['create', 'update', 'delete']),
  user: Person,
  changes: z
    .record(z.string(), z.object({ old: z.unknown(), new: z.unknown() }))
    .meta({ description: 'Field name to the value before and after; only changed fields.' }),
  created_at: z.string(),
  impersonator: Person.optional().meta({ description: 'The administrator who acted as the user.' }),
  source: z.string().optional().meta({ description: 'What made the change, when it was not a request of the user.' }),
  batch_id: z.int().optional().meta({ description: 'The batch that the change belongs to.' }),
  merge: z
    .object({
      into: z.int().optional(),
      from: z.int().optional(),
      unmerged_from: z.int().optional(),
      unmerged: z.int().optional(),
      split_into: z.int().optional(),
      split_from: z.int().optional(),
    })
    .optional()
    .meta({
      description:
        'Of a merge: `into` is the record that this one was merged into, `from` the one that was merged into this one. Of an unmerge: `unmerged_from` and `unmerged`. Of a split: `split_into` and `split_from`.',
    }),
})
export type HistoryEntryAnswer = z.output<typeof HistoryEntryAnswer>

/** One entry of the tenant's trail. */
export const TrailEntryAnswer = HistoryEntryAnswer.extend({
  id: z.string().meta({ description: 'A stable id of the entry.' }),
  action: z.enum(trailActions),
  model: z.string().meta({
    description:
      'The table; `sys_users`, `sys_roles`, `sys_entities`, `sys_relations`, `sys_channels`, ... for logins, users and configuration.',
  }),
  record_id: z.int(),
  version: z.int().meta({ description: 'The version that the change made; 0 for a login or logout.' }),
  name: z.string().optional().meta({ description: 'The name of the changed configuration.' }),
})
export type TrailEntryAnswer = z.output<typeof TrailEntryAnswer>

/** In a query string an unescaped plus is a blank, so `10:00:00 02:00` can only be an offset. */
const withOffset = (text: string): string => text.replace(/(T[\d:.]+) (\d\d:?\d\d)$/, '$1+$2')

/** A point in time sent by a client, converted to UTC with milliseconds. */
export const Moment = z
  .string()
  .transform((text, context) => {
    const moment = parseDatetime(withOffset(text))
    if (moment === undefined) context.addIssue({ code: 'invalid_format', format: 'datetime', input: text })
    return moment ?? ''
  })
  .meta({ description: 'ISO 8601; without an offset UTC.', type: 'string' })

export const TrailQuery = PageQuery.extend({
  user_id: queryId('user_id', 'Only what this user did.'),
  model: z
    .string()
    .regex(/^[a-z][a-z0-9_]{0,62}$/, { error: 'Use the name of a table, such as requests.' })
    .optional()
    .meta({ description: 'Only this table.' }),
  action: z.enum(trailActions).optional(),
  from: Moment.optional(),
  to: Moment.optional(),
})
export type TrailQuery = z.output<typeof TrailQuery>

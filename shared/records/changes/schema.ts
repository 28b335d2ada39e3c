import * as z from 'zod'
import { maxChangesPerAnswer, maxChangeTables } from '../../kernel/limits/lists.ts'
import { maxNameCharacters, maxPageCursorCharacters } from '../../kernel/limits/requests.ts'

/** After how many seconds a change is in the feed at the latest. */
export const changeLagSeconds = 10
const defaultChangesPerAnswer = 500

const TableNames = z
  .preprocess(
    (given) => (typeof given === 'string' ? given.split(',').map((name) => name.trim()) : given),
    z.array(z.string().max(maxNameCharacters)).min(1).max(maxChangeTables).optional(),
  )
  .meta({
    description: `Names of tables, with commas, at most ${maxChangeTables}. Left out, all that you may read; with a \`next_since\`, its tables.`,
    type: 'array',
    items: { type: 'string' },
  })

const Limit = z
  .preprocess(
    (given) => (typeof given === 'string' && /^\d{1,9}$/.test(given) ? Number(given) : given),
    z.int({ error: 'The limit must be an integer.' }).optional(),
  )
  .transform((limit) => Math.min(maxChangesPerAnswer, Math.max(1, limit ?? defaultChangesPerAnswer)))
  .meta({
    description: `Changes per answer, 1 to ${maxChangesPerAnswer}; ${defaultChangesPerAnswer} when left out. Changes of the same moment come together, so that there may be a few more.`,
    type: 'integer',
  })

export const ChangesQuery = z.object({
  since: z.string().max(maxPageCursorCharacters).optional().meta({
    description:
      'The `next_since` of the answer before, a time (ISO 8601), or `now`, which has the last `lag_seconds` as well. Left out: from the first record on.',
  }),
  tables: TableNames,
  limit: Limit,
})
export type ChangesQuery = z.output<typeof ChangesQuery>

/** What became of a record. */
export const Change = z.object({
  table: z.string(),
  id: z.int(),
  version: z.int().meta({ description: 'The version that the change made.' }),
  deleted: z.boolean().meta({
    description: 'It was deleted, or you may not read it any more. Records that you could not see before are left out.',
  }),
  at: z.string(),
})
export type Change = z.output<typeof Change>

export const ChangesAnswer = z.object({
  changes: z.array(Change).meta({ description: 'Oldest first, each record once, at its latest change.' }),
  next_since: z.string().meta({ description: 'Where to continue: keep it, and send it as `since`. It never expires.' }),
  has_more: z.boolean().meta({ description: 'Whether to ask on at once; else in a few seconds.' }),
  tables: z.array(z.string()).meta({ description: 'The tables that the feed is of, also when it is continued.' }),
  lag_seconds: z.int().meta({
    description: 'After how long a write that was answered is in the feed, at the latest; mostly within one.',
  }),
})
export type ChangesAnswer = z.output<typeof ChangesAnswer>

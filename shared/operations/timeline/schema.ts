import * as z from 'zod'
import { maxKindsCharacters } from '../../kernel/limits/lists.ts'
import { PageQuery } from '../../platform/http/paging/page-query.ts'

/** What a timeline shows, the latest effects first: so entries of one moment are ordered. */
export const timelineKinds = ['delivery', 'process', 'script', 'comment', 'change', 'message'] as const
export type TimelineKind = (typeof timelineKinds)[number]

export const TimelineQuery = z.strictObject({
  ...PageQuery.pick({ per_page: true, cursor: true }).shape,
  kinds: z
    .string()
    .max(maxKindsCharacters)
    .optional()
    .meta({
      description: `Only these kinds, separated by commas: ${timelineKinds.join(', ')}. All when left out.`,
    }),
})
export type TimelineQuery = z.output<typeof TimelineQuery>

const Person = z.object({ id: z.int(), name: z.string() })

export const TimelineEntry = z.object({
  kind: z.enum(timelineKinds),
  at: z.string().meta({ format: 'date-time' }),
  id: z.string().meta({ description: 'Unique among the entries of its kind.' }),
  user: Person.optional().meta({ description: 'Who did it, where it was a person.' }),
  summary: z.string().meta({ description: 'What happened, as a short sentence.' }),
  data: z.record(z.string(), z.unknown()).meta({
    description: 'The entry as its own endpoint answers it. Long texts and lists are cut when it is large.',
  }),
  is_shortened: z.literal(true).optional().meta({ description: 'Parts of `data` were cut.' }),
  href: z.string().optional().meta({ description: 'The address of the whole, where you may read it.' }),
})
export type TimelineEntry = z.output<typeof TimelineEntry>

/** A timeline has no total: counting it would read all of it. */
export const TimelineAnswer = z.object({
  success: z.literal(true),
  data: z.array(TimelineEntry),
  message: z.string(),
  meta: z.object({
    per_page: z.int(),
    next_cursor: z.string().nullable(),
    hidden_kinds: z.array(z.enum(timelineKinds)).meta({
      description:
        'Kinds that you may not see on this record. Internal comments are left out without `<table>.comment_internal`.',
    }),
    pending: z
      .array(z.int())
      .optional()
      .meta({ description: 'Versions whose changes are still missing after eight seconds.' }),
  }),
  links: z.object({ next: z.string().nullable() }),
})
export type TimelineAnswer = z.output<typeof TimelineAnswer>

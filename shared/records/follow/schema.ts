import * as z from 'zod'

/** What whoever has the link of a record sees of it, and nothing else of the company. */
export const FollowedRecord = z.object({
  company: z.string(),
  label: z.string().meta({ description: 'Of the table.' }),
  number: z.int().meta({ description: 'The id of the record.' }),
  title: z.string().nullable(),
  state: z
    .string()
    .nullable()
    .meta({ description: 'The label of the state; null without a field of type state_model.' }),
  created_at: z.string().meta({ format: 'date-time' }),
  updated_at: z.string().meta({ format: 'date-time' }),
  comments: z
    .array(
      z.object({
        name: z.string().meta({ description: 'Who wrote a message that came in; for people of the company its name.' }),
        is_company: z.boolean(),
        body: z.string(),
        created_at: z.string().meta({ format: 'date-time' }),
      }),
    )
    .meta({ description: 'The latest 50 public comments, oldest first.' }),
  has_more: z.boolean().meta({ description: 'Whether there are earlier ones.' }),
})
export type FollowedRecord = z.output<typeof FollowedRecord>

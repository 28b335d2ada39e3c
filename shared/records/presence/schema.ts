import * as z from 'zod'

export const PresenceInput = z
  .strictObject({
    is_editing: z.boolean().optional().meta({ description: 'You change or write something; false when left out.' }),
  })
  .optional()
export type PresenceInput = z.output<typeof PresenceInput>

export const PresenceAnswer = z.object({
  present: z
    .array(
      z.object({
        id: z.int(),
        name: z.string(),
        is_editing: z.boolean().meta({ description: 'They change or write something.' }),
      }),
    )
    .meta({ description: 'By id; you are one of them while you say so.' }),
})
export type PresenceAnswer = z.output<typeof PresenceAnswer>

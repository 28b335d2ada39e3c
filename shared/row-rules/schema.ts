import * as z from 'zod'

/** The row rules of a role: limits on its table permissions. */
export const RowRules = z
  .array(
    z.strictObject({
      table: z
        .string()
        .regex(/^[a-z][a-z0-9_]{0,62}$/)
        .meta({ description: 'Name of the table.' }),
      action: z.enum(['read', 'update', 'delete']),
      filter: z.record(z.string(), z.unknown()).meta({
        description:
          'The records that the permission reaches, in the filter grammar of `list-server`; `$CURRENT_USER` and the other variables stand for values of the request.',
      }),
    }),
  )
  .max(200)
  .meta({
    description:
      'Limits on permissions. Where a role grants an action on a table and has rules for it, the action reaches only records that match one of them; another role that grants it without a rule lifts the limit. Update and delete reach only what may be read.',
  })

import * as z from 'zod'
import { maxRowRules, maxRuleFields } from '../../kernel/limits/accounts.ts'

/** The row rules of a role: limits on its table permissions. */
export const RowRules = z
  .array(
    z.strictObject({
      table: z
        .string()
        .regex(/^[a-z][a-z0-9_]{0,62}$/, { error: 'Use the name of a table, such as requests.' })
        .meta({ description: 'Name of the table.' }),
      action: z.enum(['read', 'update', 'delete']),
      filter: z.record(z.string(), z.unknown()).meta({
        description:
          'The records that the permission reaches, in the filter grammar of `list-server`; `$CURRENT_USER` and the other variables stand for values of the request.',
      }),
    }),
  )
  .max(maxRowRules)
  .meta({
    description:
      'Limits on permissions. Where a role grants an action on a table and has rules for it, the action reaches only records that match one of them; another role that grants it without a rule lifts the limit. Update and delete reach only what may be read.',
  })

const FieldNames = z.array(z.string()).max(maxRuleFields)

/** The field rules of a role, by table: limits on its table permissions. */
export const FieldRules = z
  .record(
    z.string(),
    z.strictObject({
      read: FieldNames.optional().meta({ description: 'The fields that answers show; left out: all.' }),
      write: FieldNames.optional().meta({ description: 'The fields that may be set; left out: those of `read`.' }),
    }),
  )
  .meta({
    description:
      'Limits on the fields of a table, by its name. Where a role grants an action on the table, it reaches only these fields; another role that grants it without naming the table lifts the limit. Standard fields such as `id` are always readable.',
  })

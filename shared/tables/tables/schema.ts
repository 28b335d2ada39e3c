import * as z from 'zod'
import { maxFields, maxHooks, maxLabelCharacters } from '../../kernel/limits/tables.ts'
import { readOnly } from '../../platform/configured-objects/schema.ts'
import { Field, Label, Name } from '../field-types/schema.ts'

export { Field } from '../field-types/schema.ts'

export const hookKinds = [
  'before_create',
  'after_create',
  'before_update',
  'after_update',
  'before_delete',
  'after_delete',
] as const
export const Automation = z.strictObject({
  id: z.int().min(1).optional(),
  kind: z.enum(hookKinds),
  name: z.string().max(maxLabelCharacters).optional(),
  script: z.string(),
  is_active: z.boolean().default(true),
  position: z.int().optional(),
})

/** The document of a new table. What answers have besides is accepted and ignored. */
export const TableInput = z.strictObject({
  ...readOnly,
  version: z.int().optional().meta({ description: 'When given, it must be the current one (409).' }),
  name: Name,
  label: Label.optional(),
  is_system: z.boolean().optional(),
  title_field: z.string().nullish(),
  table_fields: z.array(Field).max(maxFields).default([]),
  automations: z.array(Automation).max(maxHooks).default([]),
  relations: z.array(z.unknown()).optional(),
  rebuilding: z.unknown().optional(),
})
export type TableInput = z.output<typeof TableInput>

/**
 * The document of a changed table. The path names the table; left out, `table_fields` and `automations` stay unchanged.
 */
export const TableChange = TableInput.extend({
  name: Name.optional(),
  table_fields: z.array(Field).max(maxFields).optional(),
  automations: z.array(Automation).max(maxHooks).optional(),
  dry_run: z.boolean().optional().meta({ description: 'Here or in the query: reports, and writes nothing.' }),
})
export type TableChange = z.output<typeof TableChange>

/** A many-to-many relation in which a table takes part. */
export const TableRelation = z.object({
  id: z.int(),
  name: z.string(),
  l_table: z.string().meta({ description: 'Name of the table on the left.' }),
  r_table: z.string().meta({ description: 'Name of the table on the right; may be the same one.' }),
  version: z.int(),
})

const Moment = z.string().meta({ format: 'date-time' })

/** The whole document, as `GET /api/sys/entities/name/{model}` answers it. */
export const TableDocument = z.object({
  id: z.int(),
  name: z.string(),
  label: z.string(),
  is_system: z.boolean(),
  title_field: z.string().nullable(),
  version: z.int(),
  created_at: Moment.nullable().meta({ description: 'Null for a built-in table that was never changed.' }),
  updated_at: Moment.nullable(),
  table_fields: z.array(Field),
  automations: z.array(
    z.object({
      id: z.int(),
      kind: z.enum(hookKinds),
      name: z.string(),
      script: z.string().optional(),
      is_active: z.boolean(),
      position: z.int(),
    }),
  ),
  relations: z
    .array(TableRelation)
    .readonly()
    .meta({ description: 'The many-to-many relations in which the table takes part.' }),
  rebuilding: z.object({ job_id: z.int(), done: z.int(), total: z.int().nullable() }).optional().meta({
    description: 'Present while records are brought into step with a change of the table.',
  }),
})
export type TableDocument = z.output<typeof TableDocument>

export const TableHead = z.object({
  id: z.int(),
  name: z.string(),
  label: z.string(),
  is_system: z.boolean(),
  fields_count: z.int(),
})
export type TableHead = z.output<typeof TableHead>

/** What a change of a table would do, as a dry run answers it. */
export const TableChangePreview = z.object({
  breaks: z
    .array(
      z.object({
        field: z.string(),
        rule: z.string().meta({
          description:
            'The setting of the field: `required`, `unique`, `type`, `max`, `options`, `required_if`, ...; `condition` and `required_fields` count the records that could make a move of their states, and could not any more as they are.',
        }),
        records: z.int(),
        examples: z.array(z.int()).meta({ description: 'Ids of some of the records.' }),
      }),
    )
    .meta({ description: 'How many records a rule would refuse that the change brings.' }),
  named_by: z
    .array(
      z.object({
        kind: z.string().meta({
          description:
            '`hook`, `role`, `process`, `subscription`, `view`, `macro`, `incoming_action`, `notification_template` or `table`.',
        }),
        id: z.int().nullable(),
        name: z.string(),
        path: z.string(),
      }),
    )
    .meta({ description: 'What names a field that the change takes away, or a renamed one by its former name.' }),
  renames: z
    .array(
      z.object({
        field: z.string(),
        renamed_from: z.string(),
        follows: z
          .array(z.object({ kind: z.string(), id: z.int().nullable(), name: z.string() }))
          .meta({ description: 'What names the field as data, and has its new name after the change.' }),
      }),
    )
    .optional()
    .meta({ description: 'The fields that the change renames; absent when there are none.' }),
  is_incomplete: z
    .literal(true)
    .optional()
    .meta({ description: 'The time was up before every record was looked at: there may be more.' }),
})
export type TableChangePreview = z.output<typeof TableChangePreview>

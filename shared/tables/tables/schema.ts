import * as z from 'zod'
import {
  maxColorCharacters,
  maxFieldDescriptionCharacters,
  maxFields,
  maxHooks,
  maxLabelCharacters,
  maxOptions,
  maxStates,
  maxTransitions,
} from '../../kernel/limits/tables.ts'

/** The field types of the specification. */
export const fieldTypes = [
  'text',
  'textarea',
  'integer',
  'float',
  'boolean',
  'date',
  'datetime',
  'value_list',
  'state_model',
  'user',
  'model_list',
  'company',
  'org_unit',
  'file',
  'image',
  'point',
] as const
export type FieldType = (typeof fieldTypes)[number]

export const namePattern = /^[a-z][a-z0-9_]{0,62}$/
const Name = z
  .string()
  .regex(namePattern, { error: 'Use lower-case letters, digits and underscores, beginning with a letter, at most 63.' })
const Slug = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,62}$/, {
  error: 'Use letters, digits, dots, dashes and underscores, at most 63.',
})
const Label = z.string().max(maxLabelCharacters)

const Option = z.strictObject({
  slug: Slug,
  label: Label.optional(),
  color: z.string().max(maxColorCharacters).optional(),
})
const State = z.strictObject({
  slug: Slug,
  label: Label.optional(),
  color: z.string().max(maxColorCharacters).optional(),
  is_initial: z.boolean().optional(),
  is_final: z.boolean().optional(),
})
const Transition = z.strictObject({
  from: z.string(),
  to: z.string(),
  label: Label.optional(),
  roles: z.array(z.string()).optional(),
})

export const Field = z.strictObject({
  name: Name,
  label: Label.optional(),
  description: z.string().max(maxFieldDescriptionCharacters).optional(),
  type: z.enum(fieldTypes),
  required: z.boolean().optional(),
  unique: z.boolean().optional(),
  indexed: z.boolean().optional().meta({
    description: 'Accepted and kept. It changes nothing: every field can be filtered and sorted.',
  }),
  searchable: z.boolean().optional(),
  default: z.json().optional(),
  min: z.number().optional(),
  max: z.number().optional(),
  max_length: z.int().min(1).optional(),
  options: z.array(Option).max(maxOptions).optional(),
  states: z.array(State).max(maxStates).optional(),
  transitions: z.array(Transition).max(maxTransitions).optional(),
  target_table: z.string().optional(),
  on_delete: z.enum(['keep', 'restrict', 'set_null']).optional(),
  multiple: z.boolean().optional(),
})
export type Field = z.output<typeof Field>

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

/** The document of a new table. `id`, `is_system`, `relations` and `rebuilding`, which answers have, are ignored. */
export const TableInput = z.strictObject({
  id: z.int().optional(),
  name: Name,
  label: Label.optional(),
  is_system: z.boolean().optional(),
  title_field: z.string().nullish(),
  version: z.int().optional(),
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

/** The whole document, as `GET /api/sys/entities/name/{model}` answers it. */
export const TableDocument = z.object({
  id: z.int(),
  name: z.string(),
  label: z.string(),
  is_system: z.boolean(),
  title_field: z.string().nullable(),
  version: z.int(),
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

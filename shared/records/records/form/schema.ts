import * as z from 'zod'

const Option = z.object({ slug: z.string(), label: z.string(), color: z.string().optional() })

const FormField = z.object({
  name: z.string(),
  label: z.string(),
  description: z.string().optional(),
  type: z.string(),
  required: z.boolean().meta({
    description:
      'Whether the record as it is needs a value: by `required`, or by `required_if`. Never of a field that is not visible.',
  }),
  readonly: z.boolean().meta({
    description:
      'Whether the caller may not set it: by their roles, by `readonly_if`, or because the service makes its value.',
  }),
  visible: z.boolean().meta({ description: 'Whether a form shows it (`visible_if`).' }),
  options: z.array(Option).optional().meta({
    description:
      'Of fields that offer values: the active ones, and those that the record has. Of a new record the states that it may begin in.',
  }),
  settings: z.record(z.string(), z.unknown()).meta({
    description:
      'What else the table says of the field: `min`, `max`, `max_length`, `pattern`, `target_table`, ..., and its conditions, so that a form can follow what a person types; but for those that name fields hidden from the caller, which decide nothing here.',
  }),
})

const OpenTransition = z.object({
  field: z.string(),
  from: z.string(),
  to: z.string(),
  label: z.string(),
  required_fields: z
    .array(z.string())
    .meta({ description: 'Fields that need a value in a record that makes this move.' }),
})

/** What a form of one record needs, for the caller. */
export const RecordForm = z.object({
  model: z.string(),
  label: z.string(),
  id: z.int().nullable().meta({ description: 'Null for a new record.' }),
  version: z.int().nullable().meta({ description: 'For `If-Match`; null for a new record.' }),
  fields: z
    .array(FormField)
    .meta({ description: 'In the order of the table, without those that the caller may neither read nor set.' }),
  transitions: z
    .array(OpenTransition)
    .meta({ description: 'The moves that the caller may make with the record as it is.' }),
  data: z.record(z.string(), z.unknown()).meta({
    description: 'The values of the record, or the defaults of a new one, as far as the caller may read them.',
  }),
})
export type RecordForm = z.output<typeof RecordForm>

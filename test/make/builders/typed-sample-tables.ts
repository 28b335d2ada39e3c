import { fieldTypes, type Field } from '../../../shared/tables/tables/schema.ts'

const choices = [{ slug: 'new', label: 'New', is_initial: true }, { slug: 'closed' }]

/** A field of each type, and fields whose names are words of JSON Schema. */
const everyType: readonly Field[] = [
  ...fieldTypes.map((type): Field => ({
    name: `a_${type}`,
    label: `A ${type}`,
    type,
    ...(type === 'value_list' && { options: choices.map(({ slug }) => ({ slug })) }),
    ...(type === 'state_model' && { states: choices }),
    ...(type === 'model_list' && { target_table: 'notes' }),
  })),
  ...['type', 'default', 'enum', 'example', 'properties', 'items'].map((name): Field => ({ name, type: 'text' })),
  { name: 'code', type: 'text', required: true, max_length: 20 },
  { name: 'level', type: 'integer', min: 1, max: 5, default: 3 },
  { name: 'files', type: 'file', multiple: true },
]

/** Tables whose schemas have all forms: every type of field, references both ways, names that meet other schemas. */
export const typedSampleTables = [
  { name: 'field', label: 'Field', version: 1, table_fields: [{ name: 'title', type: 'text' } as Field] },
  { name: 'notes', label: 'Notes', version: 1, table_fields: everyType },
  {
    name: 'notes_a',
    label: 'Notes A',
    version: 1,
    table_fields: [
      { name: 'note', type: 'model_list', target_table: 'notes' } as Field,
      { name: 'value_list', type: 'value_list', options: [{ slug: 'x' }] } as Field,
    ],
  },
]

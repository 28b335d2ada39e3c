import { type Field, type FieldType, fieldTypes } from '../../../../shared/tables/field-types/schema.ts'

const choices = [{ slug: 'new', label: 'New', is_initial: true }, { slug: 'closed' }]

/** What fields of some types cannot do without. */
const needed: Partial<Record<FieldType, object>> = {
  multi_value_list: { options: choices.map(({ slug }) => ({ slug })) },
  value_list: { options: choices.map(({ slug }) => ({ slug })) },
  state_model: { states: choices },
  computed: { formula: '1 + 1', result: 'integer' },
  rollup: { table: 'notes', field: 'a_model_list', aggregate: 'count' },
  model_list: { target_table: 'notes' },
}

/** A field of a type with no more properties than it needs. */
export const sampleField = (type: FieldType): Field => ({ name: 'it', type, ...needed[type] }) as Field

/** A field of each type, and fields whose names are words of JSON Schema. */
const everyType: readonly Field[] = [
  ...fieldTypes.map((type) => ({ ...sampleField(type), name: `a_${type}`, label: `A ${type}` })),
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

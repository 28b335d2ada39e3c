import type { Task } from '../api/about-record.ts'
import type { RecordData } from '../api/records.ts'
import type { Field } from '../api/tables.ts'

/** A field of the form of a task. */
export type AskedField = Task['form'][number]

/** The fields of a form as field modules take them. */
export const fieldsOfForm = (form: readonly AskedField[]): readonly Field[] =>
  form.map(({ name, label, type, required, readonly, options }) => ({
    name,
    type,
    required,
    readonly,
    ...(label !== null && { label }),
    ...(options.length > 0 && { options: options.map((slug) => ({ slug })) }),
  }))

/**
 * What a form begins with, each value in the type of its field: what the record (`data`) has in the field that the value is
 * written to, else the default, which is never written where the field is read-only. Fields without either are left out.
 */
export const presetsOf = (form: readonly AskedField[], data: RecordData = {}): RecordData =>
  Object.fromEntries(
    form.flatMap((field) => {
      const stored = field.bind === null ? undefined : data[field.bind.replace(/^record\./, '')]
      const value = stored ?? (field.bind !== null && field.readonly ? undefined : readDefault(field))
      return value === undefined ? [] : [[field.name, value]]
    }),
  )

/** A default, which a diagram holds as text; what does not fit its type stays as it is, for the service to refuse. */
function readDefault({ type, default: text }: Pick<AskedField, 'type' | 'default'>): unknown {
  const plain = text?.trim() ?? ''
  if (plain === '') return undefined
  switch (type) {
    case 'boolean':
      return plain.toLowerCase() === 'true'
    case 'integer':
    case 'float':
    case 'user':
      return Number.isFinite(Number(plain)) ? Number(plain) : plain
    case 'multi_value_list':
      return plain.split(',').flatMap((slug) => slug.trim() || [])
    case 'decimal':
    case 'date':
    case 'datetime':
      return plain
    default:
      return text
  }
}

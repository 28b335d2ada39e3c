import type { RecordData } from '../api/records.ts'
import type { Field } from '../api/tables.ts'
import { moduleOf } from './registry.ts'
import { useFieldLabel } from './use-field-label.ts'

interface EditFieldsProps {
  readonly fields: readonly Field[]
  readonly data: RecordData
  readonly errors: Readonly<Record<string, string>>
  readonly onChange: (name: string, value: unknown) => void
  /** Whether the first field has the focus at once; left out: it has. */
  readonly isFocused?: boolean
}

/** The fields that people fill in for a new record: states begin by themselves. */
export const fieldsToFill = (fields: readonly Field[]): readonly Field[] =>
  fields.filter((field) => field.type !== 'state_model' && !field.readonly && moduleOf(field).Edit)

/** The fields of a form, each as its type is edited. */
export function EditFields({ fields, data, errors, onChange, isFocused = true }: EditFieldsProps) {
  const labelOfField = useFieldLabel()
  return fields.map((field, index) => {
    const { Edit } = moduleOf(field)
    return (
      Edit && (
        <Edit
          key={field.name}
          field={field}
          value={data[field.name]}
          onChange={(value) => onChange(field.name, value)}
          label={labelOfField(field)}
          required={field.required}
          error={errors[field.name]}
          autoFocus={isFocused && index === 0}
        />
      )
    )
  })
}

import type { ReactNode } from 'react'
import type { RecordData, Row } from '../api/records.ts'
import type { Field } from '../api/tables.ts'
import { FieldValue } from './field-value.tsx'
import { moduleOf } from './registry.ts'
import { useFieldLabel } from './use-field-label.ts'

interface EditFieldsProps<F extends Field> {
  readonly fields: readonly F[]
  readonly data: RecordData
  readonly errors: Readonly<Record<string, string>>
  readonly onChange: (name: string, value: unknown) => void
  /** Whether the first field has the focus at once. */
  readonly isFocused?: boolean
  /** Whose values are shown where they cannot be changed; left out, they are those of `data`. */
  readonly record?: Row
  /** What stands below a field and belongs to it. */
  readonly after?: (field: F) => ReactNode
}

/** The fields of a form, each as its type is edited; what cannot be changed is shown. */
export function EditFields<F extends Field>({
  fields,
  data,
  errors,
  onChange,
  isFocused = false,
  record = { id: 0, data },
  after,
}: EditFieldsProps<F>) {
  const labelOfField = useFieldLabel()
  return fields.map((field, index) => {
    const { Edit } = moduleOf(field)
    if (field.readonly || !Edit)
      return (
        <div key={field.name} className="field-shown">
          <span className="field-label">{labelOfField(field)}</span>
          <FieldValue field={field} record={record} in="record" />
        </div>
      )
    const control = (
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
    return after ? (
      <div key={field.name} className="field-edit">
        {control}
        {after(field)}
      </div>
    ) : (
      control
    )
  })
}

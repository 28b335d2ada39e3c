import { ActionIcon, Select } from '@mantine/core'
import X from 'lucide-react/icons/x'
import { useTranslation } from 'react-i18next'
import { fieldErrorsOf } from '../api/failures.ts'
import type { RecordData } from '../api/records.ts'
import { type Field, fieldsOf, labelsOf, type Table } from '../api/tables.ts'
import { moduleOf } from '../fields/registry.ts'
import { choice } from '../fields/types/choice.tsx'
import { useFieldLabel } from '../fields/use-field-label.ts'

interface BulkFieldsProps {
  readonly table: Table
  readonly values: RecordData
  readonly onChange: (values: RecordData) => void
  readonly error: unknown
}

/** Each record takes its own way to a state: the service says which of them may. */
const editorOf = (field: Field) => (field.type === 'state_model' ? choice.Edit : moduleOf(field).Edit)

/** Which fields become what in all records that were chosen. */
export function BulkFields({ table, values, onChange, error }: BulkFieldsProps) {
  const { t } = useTranslation()
  const labelOfField = useFieldLabel()
  const errors = fieldErrorsOf(error, labelsOf(fieldsOf(table)))
  const offered = fieldsOf(table).filter((field) => !field.readonly && editorOf(field))
  const left = offered.filter(({ name }) => !Object.hasOwn(values, name))
  return (
    <>
      {offered
        .filter(({ name }) => Object.hasOwn(values, name))
        .map((field) => {
          const Edit = editorOf(field)
          const { [field.name]: value, ...others } = values
          return (
            <div key={field.name} className="bulk-field">
              {Edit && (
                <Edit
                  field={field}
                  value={value}
                  onChange={(next) => onChange({ ...values, [field.name]: next })}
                  label={labelOfField(field)}
                  error={errors[field.name]}
                  autoFocus
                />
              )}
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={t('bulk.leaveField', { field: labelOfField(field) })}
                onClick={() => onChange(others)}
              >
                <X size={14} />
              </ActionIcon>
            </div>
          )
        })}
      {left.length > 0 && (
        <Select
          key={left.length}
          placeholder={t('bulk.addField')}
          aria-label={t('bulk.addField')}
          data={left.map((field) => ({ value: field.name, label: labelOfField(field) }))}
          value={null}
          searchable
          data-autofocus={Object.keys(values).length === 0 || undefined}
          onChange={(name) => name !== null && onChange({ ...values, [name]: null })}
        />
      )}
    </>
  )
}

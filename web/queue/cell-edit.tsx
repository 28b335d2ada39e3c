import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { fieldErrorsOf, useMessageOf } from '../api/failures.ts'
import { type Row, useChangeRecord } from '../api/records.ts'
import { type Field, labelsOf, type Table } from '../api/tables.ts'
import { valueOf } from '../fields/field-value.tsx'
import { moduleOf } from '../fields/registry.ts'
import { useFieldLabel } from '../fields/use-field-label.ts'
import { offerUndo } from '../parts/undo.tsx'

interface CellEditProps {
  readonly table: Table
  readonly field: Field
  readonly record: Row
  readonly onDone: () => void
}

/** Changes one field of a record in its row: Enter stores, Escape leaves it. */
export function CellEdit({ table, field, record, onDone }: CellEditProps) {
  const { t } = useTranslation()
  const labelOfField = useFieldLabel()
  const messageOf = useMessageOf()
  const before = valueOf(record, field) ?? null
  const [value, setValue] = useState<unknown>(before)
  // Enter chooses from a list and stores: what was chosen is not rendered yet.
  const latest = useRef<unknown>(before)
  const change = useChangeRecord(table.name)
  const { Edit } = moduleOf(field)
  if (!Edit) return null

  function save(): void {
    const { current: after } = latest
    if (after === before) return onDone()
    change.mutate(
      { id: record.id, version: record.version ?? 0, changes: { [field.name]: after } },
      {
        onSuccess: ({ id, version }) => {
          onDone()
          const undo = () => change.mutate({ id, version, changes: { [field.name]: before } })
          offerUndo(t('queue.changed', { field: labelOfField(field) }), t('parts.undo'), undo)
        },
      },
    )
  }
  return (
    <div
      className="cell-edit"
      // Its control takes the keys; what is done inside is not for the row.
      role="presentation"
      onClick={(event) => event.stopPropagation()}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onDone()
        else if (event.key === 'Enter') save()
        else return
        event.stopPropagation()
      }}
      onBlur={(event) => event.currentTarget.contains(event.relatedTarget) || event.relatedTarget === null || save()}
    >
      <Edit
        field={field}
        value={value}
        onChange={(next) => {
          latest.current = next
          setValue(next)
        }}
        ariaLabel={labelOfField(field)}
        error={
          change.error
            ? (fieldErrorsOf(change.error, labelsOf([field]))[field.name] ?? messageOf(change.error, labelsOf([field])))
            : undefined
        }
        required={field.required}
        autoFocus
        size="xs"
      />
    </div>
  )
}

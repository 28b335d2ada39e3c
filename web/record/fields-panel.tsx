import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { fieldErrorsOf, isConflict, useMessageOf } from '../api/failures.ts'
import type { Form } from '../api/form.ts'
import { type EntityRecord, type RecordData, useChangeRecord } from '../api/records.ts'
import type { Table } from '../api/tables.ts'
import { FieldValue } from '../fields/field-value.tsx'
import { moduleOf } from '../fields/registry.ts'
import { useFieldLabel } from '../fields/use-field-label.ts'
import { useKeys } from '../keyboard/keyboard.tsx'
import { offerUndo } from '../parts/undo.tsx'
import { ConflictDialog } from './conflict-dialog.tsx'

interface FieldsPanelProps {
  readonly table: Table
  readonly record: EntityRecord
  readonly form: Form
}

/** The fields of a record. What is typed is kept until it is stored, whatever the service says to it. */
export function FieldsPanel({ table, record, form }: FieldsPanelProps) {
  const { t } = useTranslation()
  const messageOf = useMessageOf()
  const labelOfField = useFieldLabel()
  const [draft, setDraft] = useState<RecordData>({})
  /** The version on which the draft was begun. */
  const [base, setBase] = useState(record)
  const change = useChangeRecord(table.name)
  const errors = fieldErrorsOf(change.error)
  const isChanged = Object.keys(draft).length > 0

  function edit(name: string, value: unknown): void {
    if (!isChanged) setBase(record)
    const { [name]: _former, ...others } = draft
    const isSame = JSON.stringify(value ?? null) === JSON.stringify(record.data[name] ?? null)
    setDraft(isSame ? others : { ...others, [name]: value })
  }
  function save(changes: RecordData = draft, on: EntityRecord = base): void {
    const before = Object.fromEntries(Object.keys(changes).map((name) => [name, on.data[name] ?? null]))
    change.mutate(
      { id: record.id, version: on.version, changes },
      {
        onSuccess: ({ id, version }) => {
          setDraft({})
          offerUndo(t('record.saved'), t('parts.undo'), () => change.mutate({ id, version, changes: before }))
        },
      },
    )
  }
  function discard(): void {
    setDraft({})
    change.reset()
  }
  useKeys(isChanged ? [{ keys: 'mod+enter', label: t('record.save'), run: () => save(), inFields: true }] : [])

  const editable = form.fields.filter((field) => field.type !== 'state_model')
  return (
    <div className="fields">
      {editable.map((field) => {
        const { Edit } = moduleOf(field)
        if (field.readonly || !Edit)
          return (
            <div key={field.name} className="field-shown">
              <span className="field-label">{labelOfField(field)}</span>
              <FieldValue field={field} record={record} in="record" />
            </div>
          )
        return (
          <Edit
            key={field.name}
            field={field}
            value={Object.hasOwn(draft, field.name) ? draft[field.name] : record.data[field.name]}
            onChange={(value) => edit(field.name, value)}
            label={labelOfField(field)}
            required={field.required}
            error={errors[field.name]}
          />
        )
      })}
      {isChanged && (
        <div className="save-bar" role="region" aria-label={t('record.unsaved')}>
          <span>{change.error && !isConflict(change.error) ? messageOf(change.error) : t('record.unsaved')}</span>
          <Button variant="default" onClick={discard}>
            {t('record.discard')}
          </Button>
          <Button loading={change.isPending} onClick={() => save()}>
            {t('record.save')}
          </Button>
        </div>
      )}
      {isConflict(change.error) && (
        <ConflictDialog
          table={table}
          base={base}
          draft={draft}
          onClose={change.reset}
          onDiscard={discard}
          onChoose={(chosen, current) => {
            setBase(current)
            setDraft(chosen)
            save(chosen, current)
          }}
        />
      )}
    </div>
  )
}

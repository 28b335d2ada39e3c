import { Button } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { Unreachable } from '../api/client.ts'
import { isConflict, useMessageOf } from '../api/failures.ts'
import type { Form } from '../api/form.ts'
import { type EntityRecord, type RecordData, useChangeRecord } from '../api/records.ts'
import { labelsOf, type Table } from '../api/tables.ts'
import { EditFields } from '../fields/edit-fields.tsx'
import { errorsByField } from '../fields/form-values.ts'
import { useKeys } from '../keyboard/keyboard.tsx'
import { NotSent } from '../parts/not-sent.tsx'
import { offerUndo } from '../parts/undo.tsx'
import { OthersChanges } from './unsaved/others-changes.tsx'
import { useUnsaved } from './unsaved/use-unsaved.ts'

const ConflictDialog = lazy(() => import('./conflict-dialog.tsx'))

interface FieldsPanelProps {
  readonly table: Table
  readonly record: EntityRecord
  readonly form: Form
}

/** The fields of a record. What is typed is kept until it is stored, whatever the service says to it. */
export function FieldsPanel({ table, record, form }: FieldsPanelProps) {
  const { t } = useTranslation()
  const messageOf = useMessageOf()
  const change = useChangeRecord(table.name)
  const { draft, base, isChanged, isKept, edit, put, clear } = useUnsaved(
    table.name,
    record,
    change.isPending,
    change.reset,
  )

  function save(changes: RecordData = draft, on: EntityRecord = base): void {
    const before = Object.fromEntries(Object.keys(changes).map((name) => [name, on.data[name] ?? null]))
    change.mutate(
      { id: record.id, version: on.version, changes },
      {
        onSuccess: ({ id, version }) => {
          clear()
          offerUndo(t('record.saved'), t('parts.undo'), () => change.mutate({ id, version, changes: before }))
        },
      },
    )
  }
  function discard(): void {
    clear()
    change.reset()
  }
  useKeys(isChanged ? [{ keys: 'mod+enter', label: t('record.save'), run: () => save(), inFields: true }] : [])

  return (
    <div className="fields">
      <OthersChanges table={table} record={record} base={isKept ? base : undefined} draft={draft} />
      <EditFields
        fields={form.fields.filter((field) => field.type !== 'state_model')}
        data={{ ...record.data, ...draft }}
        errors={errorsByField(change.error, form.fields)}
        record={record}
        onChange={edit}
      />
      {isChanged && (
        <div className="save-bar" role="region" aria-label={t('record.unsaved')}>
          <span>{said()}</span>
          <Button variant="default" onClick={discard}>
            {t('record.discard')}
          </Button>
          <Button loading={change.isPending} onClick={() => save()}>
            {t('record.save')}
          </Button>
          <NotSent error={change.error} onSend={() => save()} />
        </div>
      )}
      {isChanged && isConflict(change.error) && (
        <Suspense fallback={null}>
          <ConflictDialog
            table={table}
            base={base}
            draft={draft}
            onClose={change.reset}
            onDiscard={discard}
            onChoose={(chosen, current) => {
              put({ draft: chosen, base: current })
              save(chosen, current)
            }}
          />
        </Suspense>
      )}
    </div>
  )

  function said(): string {
    if (change.error && !isConflict(change.error) && !(change.error instanceof Unreachable))
      return messageOf(change.error, labelsOf(form.fields))
    return t(isKept ? 'unsent.keptFrom' : 'record.unsaved')
  }
}

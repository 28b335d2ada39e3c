import { Button, Group, Modal } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useMessageOf } from '../api/failures.ts'
import { type HistoryEntry, historyQuery, pastQuery, useRestore } from '../api/past.ts'
import { type EntityRecord, type RecordData, useChangeRecord } from '../api/records.ts'
import { type Field, fieldsOf, type Table } from '../api/tables.ts'
import { FieldValue } from '../fields/field-value.tsx'
import { useFieldLabel } from '../fields/use-field-label.ts'
import { Failed, Loading } from '../parts/states.tsx'
import { Moment } from '../parts/time.tsx'
import { offerUndo } from '../parts/undo.tsx'

interface PastDialogProps {
  readonly table: Table
  readonly record: EntityRecord
  readonly mayChange: boolean
  readonly onClose: () => void
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a ?? null) === JSON.stringify(b ?? null)

/** A record as it was after any of its changes; a field, or all of them, can be brought back. */
export default function PastDialog({ table, record, mayChange, onClose }: PastDialogProps) {
  const { t } = useTranslation()
  const { data: entries, error, refetch } = useQuery(historyQuery(table.name, record.id))
  const [chosen, setChosen] = useState<number>()
  const last = (entries?.length ?? 0) - 1
  // At first the state before the latest change: what one most often wants back.
  const at = Math.min(chosen ?? Math.max(last - 1, 0), last)
  const entry = entries?.[at]
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={t('past.title')}
      closeButtonProps={{ 'aria-label': t('parts.close') }}
    >
      {error && <Failed error={error} retry={refetch} />}
      {!entries && !error && <Loading lines={6} />}
      {entry && (
        <div className="stack">
          <label className="past-moment">
            <span>
              <Moment at={entry.created_at} /> · {entry.user.name}
            </span>
            <input
              type="range"
              min={0}
              max={last}
              value={at}
              aria-label={t('past.moment')}
              aria-valuetext={`${new Date(entry.created_at).toLocaleString()} ${entry.user.name}`}
              onChange={(event) => setChosen(Number(event.currentTarget.value))}
              autoFocus
            />
            <span className="quiet small">{t('past.position', { number: at + 1, count: last + 1 })}</span>
          </label>
          <PastFields table={table} record={record} entry={entry} mayChange={mayChange} onClose={onClose} />
        </div>
      )}
    </Modal>
  )
}

interface PastFieldsProps extends PastDialogProps {
  readonly entry: HistoryEntry
}

function PastFields({ table, record, entry, mayChange, onClose }: PastFieldsProps) {
  const { t } = useTranslation()
  const messageOf = useMessageOf()
  const { data: past, error } = useQuery(pastQuery(table.name, record.id, entry.created_at))
  const change = useChangeRecord(table.name)
  const restore = useRestore(table.name, record.id)
  if (error) return <Failed error={error} />
  if (!past) return <Loading lines={6} />
  const fields = fieldsOf(table).filter(({ name, type }) => name in record.data && type !== 'computed')
  const differing = fields.filter(({ name }) => !isSame(past.data[name], record.data[name]))

  /** Offers to write back what the record had before. */
  function offer({ id, version }: EntityRecord, names: readonly string[]): void {
    const before: RecordData = Object.fromEntries(names.map((name) => [name, record.data[name] ?? null]))
    offerUndo(t('past.done'), t('parts.undo'), () => change.mutate({ id, version, changes: before }))
  }
  const restoreField = ({ name }: Field): void =>
    change.mutate(
      { id: record.id, version: record.version, changes: { [name]: past.data[name] ?? null } },
      { onSuccess: (after) => offer(after, [name]) },
    )
  const restoreAll = (): void =>
    restore.mutate(entry.created_at, {
      onSuccess({ data }) {
        const names = differing.map(({ name }) => name)
        onClose()
        offer(data, names)
      },
    })
  const failure = restore.error ?? change.error
  return (
    <>
      <dl className="past-fields">
        {fields.map((field) => (
          <PastField
            key={field.name}
            field={field}
            past={past}
            record={record}
            isChanged={differing.includes(field)}
            onRestore={mayChange && !field.readonly ? () => restoreField(field) : undefined}
          />
        ))}
      </dl>
      {failure && (
        <p className="problem" role="alert">
          {messageOf(failure)}
        </p>
      )}
      <Group justify="end">
        {differing.length === 0 && <span className="quiet">{t('past.same')}</span>}
        {mayChange && differing.length > 0 && (
          <Button loading={restore.isPending} onClick={restoreAll}>
            {t('past.restoreAll')}
          </Button>
        )}
      </Group>
    </>
  )
}

interface PastFieldProps {
  readonly field: Field
  readonly past: EntityRecord
  readonly record: EntityRecord
  readonly isChanged: boolean
  readonly onRestore: (() => void) | undefined
}

/** A value of then, and the one of now where it is another. */
function PastField({ field, past, record, isChanged, onRestore }: PastFieldProps) {
  const { t } = useTranslation()
  const label = useFieldLabel()(field)
  return (
    <div className={isChanged ? 'past-field is-changed' : 'past-field'}>
      <dt>{label}</dt>
      <dd>
        <FieldValue field={field} record={past} in="cell" />
        {isChanged && (
          <span className="quiet small past-now">
            {t('past.now')} <FieldValue field={field} record={record} in="cell" />
          </span>
        )}
        {isChanged && onRestore && (
          <Button
            size="compact-sm"
            variant="default"
            aria-label={t('past.restoreField', { field: label })}
            onClick={onRestore}
          >
            {t('past.restore')}
          </Button>
        )}
      </dd>
    </div>
  )
}

import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useMessageOf } from '../api/failures.ts'
import type { Form, Move } from '../api/form.ts'
import { type EntityRecord, useChangeRecord } from '../api/records.ts'
import { choiceLabel, fieldsOf, labelsOf, type Table } from '../api/tables.ts'
import { moduleOf } from '../fields/registry.ts'
import { useKeys } from '../keyboard/keyboard.tsx'
import { offerUndo } from '../parts/undo.tsx'

interface StateButtonsProps {
  readonly table: Table
  readonly record: EntityRecord
  readonly form: Form
}

const shownButtons = 3

/** The state of a record, and a button for each move that is open to the caller. */
export function StateButtons({ table, record, form }: StateButtonsProps) {
  const { t } = useTranslation()
  const messageOf = useMessageOf()
  const change = useChangeRecord(table.name)
  const [isAll, setAll] = useState(false)
  const shown = isAll ? form.moves : form.moves.slice(0, shownButtons)

  /** The label of the state that a move leads to. */
  const nameOf = ({ field, to }: Pick<Move, 'field' | 'to'>): string =>
    choiceLabel(
      fieldsOf(table)
        .find(({ name }) => name === field)
        ?.states?.find(({ slug }) => slug === to) ?? { slug: to },
    )

  function move({ field, to }: Move): void {
    change.mutate(
      { id: record.id, version: record.version, changes: { [field]: to } },
      // A move back may not be open, so the service decides whether it can be taken back.
      {
        onSuccess: ({ id, version }) =>
          offerUndo(t('record.moved', { state: nameOf({ field, to }) }), t('parts.undo'), () =>
            change.mutate({ id, version, changes: { [field]: record.data[field] } }),
          ),
      },
    )
  }
  const [first] = form.moves
  useKeys(first ? [{ keys: 's', label: t('record.keyMove', { state: nameOf(first) }), run: () => move(first) }] : [])

  const states = form.fields.filter(({ type, name }) => type === 'state_model' && record.data[name] !== undefined)
  return (
    <>
      {states.map((field) => {
        const { Show } = moduleOf(field)
        return <Show key={field.name} field={field} value={record.data[field.name]} />
      })}
      {shown.map((one) => (
        <Button
          key={`${one.field} ${one.to}`}
          size="sm"
          variant="default"
          disabled={change.isPending}
          onClick={() => move(one)}
        >
          {one.label || nameOf(one)}
        </Button>
      ))}
      {form.moves.length > shown.length && (
        <Button size="sm" variant="subtle" onClick={() => setAll(true)}>
          {t('record.moreMoves')}
        </Button>
      )}
      {change.error && (
        <span className="problem" role="alert">
          {messageOf(change.error, labelsOf(fieldsOf(table)))}
        </span>
      )}
    </>
  )
}

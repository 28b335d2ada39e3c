import { Button, Group, Modal, Radio } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { usePersonName } from '../api/people.ts'
import { type EntityRecord, type RecordData, recordQuery } from '../api/records.ts'
import { type Field, fieldsOf, type Table } from '../api/tables.ts'
import { FieldValue } from '../fields/field-value.tsx'
import { useFieldLabel } from '../fields/use-field-label.ts'
import { Loading } from '../parts/states.tsx'

interface ConflictDialogProps {
  readonly table: Table
  /** The record as it was when the changes were begun. */
  readonly base: EntityRecord
  readonly draft: RecordData
  readonly onClose: () => void
  readonly onDiscard: () => void
  /** With what shall be stored, and the record on which it is stored. */
  readonly onChoose: (chosen: RecordData, current: EntityRecord) => void
}

/** Somebody else changed the record meanwhile: shows both, field by field, and lets one choose. */
export default function ConflictDialog({ table, base, draft, onClose, onDiscard, onChoose }: ConflictDialogProps) {
  const { t } = useTranslation()
  const labelOfField = useFieldLabel()
  const [theirs, setTheirs] = useState<ReadonlySet<string>>(new Set())
  const { data: current } = useQuery({ ...recordQuery(table.name, base.id), staleTime: 0, refetchOnMount: 'always' })
  const name = usePersonName(current?.updated_by)
  const isFresh = current !== undefined && current.version > base.version
  const changed = fieldsOf(table).filter(({ name: field }) => Object.hasOwn(draft, field))
  const isBoth = ({ name: field }: Field): boolean =>
    JSON.stringify(current?.data[field] ?? null) !== JSON.stringify(base.data[field] ?? null)

  function choose(): void {
    if (!current) return
    const chosen = Object.fromEntries(Object.entries(draft).filter(([field]) => !theirs.has(field)))
    if (Object.keys(chosen).length === 0) onDiscard()
    else onChoose(chosen, current)
  }
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={t('conflict.title')}
      closeButtonProps={{ 'aria-label': t('parts.close') }}
    >
      <p>{t('conflict.why', { name: name ?? '…' })}</p>
      {!isFresh && <Loading lines={2} />}
      {isFresh &&
        changed.map((field) => (
          <Radio.Group
            key={field.name}
            className="conflict"
            label={labelOfField(field)}
            value={theirs.has(field.name) ? 'theirs' : 'mine'}
            onChange={(value) =>
              setTheirs(
                new Set([...theirs].filter((one) => one !== field.name).concat(value === 'theirs' ? field.name : [])),
              )
            }
          >
            <Radio
              value="mine"
              label={
                <>
                  {t('conflict.mine')}{' '}
                  <FieldValue field={field} record={{ ...current, data: { ...current.data, ...draft } }} in="record" />
                </>
              }
            />
            <Radio
              value="theirs"
              label={
                <>
                  {isBoth(field) ? t('conflict.theirs') : t('conflict.unchanged')}{' '}
                  <FieldValue field={field} record={current} in="record" />
                </>
              }
            />
          </Radio.Group>
        ))}
      <Group justify="end">
        <Button variant="default" onClick={onDiscard}>
          {t('conflict.discard')}
        </Button>
        <Button disabled={!isFresh} onClick={choose}>
          {t('conflict.store')}
        </Button>
      </Group>
    </Modal>
  )
}

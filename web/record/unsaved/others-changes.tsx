import { CloseButton } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { usePersonName } from '../../api/people.ts'
import { useUser } from '../../api/permissions.ts'
import type { EntityRecord, RecordData } from '../../api/records.ts'
import { fieldsOf, type Table } from '../../api/tables.ts'
import { FieldValue } from '../../fields/field-value.tsx'
import { useFieldLabel } from '../../fields/use-field-label.ts'
import { changedFields } from './changed-fields.ts'

interface OthersChangesProps {
  readonly table: Table
  readonly record: EntityRecord
  /** The record on which the draft was begun; undefined without one. */
  readonly base: EntityRecord | undefined
  readonly draft: RecordData
}

/** Says what others changed while the record is open: the new values are shown, and what is being typed stays. */
export function OthersChanges({ table, record, base, draft }: OthersChangesProps) {
  const { t } = useTranslation()
  const user = useUser()
  const labelOfField = useFieldLabel()
  const [seen, setSeen] = useState(base ?? record)
  const isNews = record.version > seen.version
  const isOwn = record.updated_by === user.id
  const name = usePersonName(isNews && !isOwn ? record.updated_by : undefined)
  if (isNews && isOwn) setSeen(record)
  const names = isNews && !isOwn ? changedFields(seen.data, record.data) : []
  const fields = fieldsOf(table).filter((field) => names.includes(field.name))
  return (
    <div role="status">
      {fields.length > 0 && (
        <div className="record-notice others-changes">
          <div>
            <p>{t('unsent.changedMeanwhile', { name: name ?? t('record.somebody') })}</p>
            <dl className="changes">
              {fields.map((field) => (
                <div key={field.name}>
                  <dt>{labelOfField(field)}</dt>
                  <dd>
                    <FieldValue field={field} record={record} in="cell" />
                    {Object.hasOwn(draft, field.name) && <b> ({t('unsent.changedToo')})</b>}
                  </dd>
                </div>
              ))}
            </dl>
          </div>
          <CloseButton size="sm" aria-label={t('parts.close')} onClick={() => setSeen(record)} />
        </div>
      )}
    </div>
  )
}

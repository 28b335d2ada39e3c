import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { Assigned } from '../api/my-work.ts'
import { titleOf } from '../api/records.ts'
import { fieldsOf, labelOf } from '../api/tables.ts'
import { FieldValue } from '../fields/field-value.tsx'
import { RecordLink } from '../parts/record-link.tsx'
import { Moment } from '../parts/time.tsx'

/** The records of one table that the reader is responsible for, what changed last first. */
export function AssignedRecords({ assigned }: { readonly assigned: Assigned }) {
  const { t } = useTranslation()
  const { table, filter, rows, total } = assigned
  const state = fieldsOf(table).find(({ type }) => type === 'state_model')
  return (
    <li>
      <h3>{labelOf(table)}</h3>
      <ul className="plain-list">
        {rows.map((row) => (
          <li key={row.id} className="work-item">
            <RecordLink model={table.name} id={row.id} title={titleOf(row, table.title_field)} />
            <span className="quiet small work-facts">
              {state && <FieldValue field={state} record={row} in="cell" />}
              {row.updated_at && <Moment at={row.updated_at} short />}
            </span>
          </li>
        ))}
      </ul>
      {total > rows.length && (
        <Link to="/e/$model" params={{ model: table.name }} search={{ filter }} className="work-more">
          {t('myWork.all', { count: total })}
        </Link>
      )}
    </li>
  )
}

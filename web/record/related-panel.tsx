import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { EntityRecord } from '../api/records.ts'
import { titleOf } from '../api/records.ts'
import { relatedQuery } from '../api/related.ts'
import { filterOf, requesterOf, type Shared } from '../api/requester.ts'
import { fieldsOf, type Table } from '../api/tables.ts'
import { FieldValue } from '../fields/field-value.tsx'
import { RecordLink } from '../parts/record-link.tsx'
import { Moment } from '../parts/time.tsx'

interface RelatedPanelProps {
  readonly table: Table
  readonly record: EntityRecord
}

/** What else the same person asked for. */
export function RelatedPanel({ table, record }: RelatedPanelProps) {
  const shared = requesterOf(table, record)
  return shared && <Related table={table} record={record} shared={shared} />
}

function Related({ table, record, shared }: RelatedPanelProps & { readonly shared: Shared }) {
  const { t } = useTranslation()
  const { data } = useQuery(relatedQuery(table.name, record.id, shared))
  const state = fieldsOf(table).find(({ type }) => type === 'state_model')
  if (!data) return null
  return (
    <section className="side-panel" aria-label={t('related.title')}>
      <h2>{t('related.title')}</h2>
      <p className="related-person">
        <FieldValue field={shared.field} record={record} in="record" />
      </p>
      {data.rows.length === 0 && <p className="quiet">{t('related.none')}</p>}
      <ul className="plain-list related">
        {data.rows.map((row) => (
          <li key={row.id}>
            <RecordLink
              model={table.name}
              id={row.id}
              title={titleOf(row, table.title_field)}
              className="related-link"
            />
            <span className="related-facts">
              {state && <FieldValue field={state} record={row} in="cell" />}
              {row.created_at && (
                <span className="quiet small">
                  <Moment at={row.created_at} short />
                </span>
              )}
            </span>
          </li>
        ))}
      </ul>
      {data.total > data.rows.length && (
        <Link to="/e/$model" params={{ model: table.name }} search={{ filter: filterOf(shared) }}>
          {t('related.all', { count: data.total + 1 })}
        </Link>
      )}
    </section>
  )
}

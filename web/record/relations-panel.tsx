import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { linkedQuery } from '../api/about-record.ts'
import { titleOf } from '../api/records.ts'
import { type Table, tableQuery } from '../api/tables.ts'

/** The records that are linked with this one, by relation. */
export function RelationsPanel({ table, id }: { readonly table: Table; readonly id: number }) {
  return table.relations.map((relation) => (
    <Linked
      key={relation.id}
      relation={relation.id}
      name={relation.name}
      model={table.name}
      id={id}
      other={relation.l_table === table.name ? relation.r_table : relation.l_table}
    />
  ))
}

interface LinkedProps {
  readonly relation: number
  readonly name: string
  readonly model: string
  readonly id: number
  /** The table on the other side. */
  readonly other: string
}

function Linked({ relation, name, model, id, other }: LinkedProps) {
  const { t } = useTranslation()
  const { data: table } = useQuery(tableQuery(other))
  const { data: linked } = useQuery(linkedQuery(relation, model, id))
  if (!linked || !table) return null
  return (
    <section className="side-panel">
      <h2>{name}</h2>
      {linked.records.length === 0 && <p className="quiet">{t('record.noLinks')}</p>}
      <ul className="plain-list">
        {linked.records.map((record) => (
          <li key={record.id}>
            <Link to="/e/$model/$id" params={{ model: other, id: String(record.id) }}>
              {titleOf(record, table.title_field)}
            </Link>
          </li>
        ))}
      </ul>
      {linked.total > linked.records.length && (
        <p className="quiet">{t('record.moreLinks', { count: linked.total - linked.records.length })}</p>
      )}
    </section>
  )
}

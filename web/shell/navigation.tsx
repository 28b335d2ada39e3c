import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import BookOpen from 'lucide-react/icons/book-open'
import Building from 'lucide-react/icons/building-2'
import Star from 'lucide-react/icons/star'
import Table from 'lucide-react/icons/table-2'
import { useTranslation } from 'react-i18next'
import { readable, useUser } from '../api/permissions.ts'
import { articlesTable, labelOf, type TableHead, tablesQuery } from '../api/tables.ts'
import { Loading } from '../parts/states.tsx'
import { useDestinations } from './destinations.ts'

const active = { className: 'navigation-link is-active', 'aria-current': 'page' } as const

/** The own work, and the tables whose records the person may read. */
export function Navigation() {
  const { t } = useTranslation()
  const user = useUser()
  const destinations = useDestinations('side')
  const { data: all } = useQuery(tablesQuery)
  if (!all) return <Loading lines={5} height={28} />
  const tables = readable(user, all)
  return (
    <nav className="navigation" aria-label={t('shell.navigation')}>
      {destinations.map(({ to, label, Icon }) => (
        <Link key={to} to={to} className="navigation-link" activeProps={active}>
          <Icon size={16} aria-hidden />
          <span>{label}</span>
        </Link>
      ))}
      <Section title={t('shell.tables')} tables={tables.filter((table) => !table.is_system)} />
      <PortalSection tables={tables} />
      <Section
        title={t('shell.directory')}
        tables={tables.filter(
          (table) => table.is_system && table.name !== articlesTable && table.name !== ratingsTable,
        )}
      />
    </nav>
  )
}

const ratingsTable = 'sys_ratings'

/** What the portal shows and brings in: articles have a screen of their own. */
function PortalSection({ tables }: { readonly tables: readonly TableHead[] }) {
  const { t } = useTranslation()
  const [articles, ratings] = [articlesTable, ratingsTable].map((name) => tables.find((table) => table.name === name))
  if (!articles && !ratings) return null
  return (
    <>
      <h2 className="navigation-title">{t('shell.help')}</h2>
      <ul className="plain-list">
        {articles && (
          <li>
            <Link to="/articles" className="navigation-link" activeProps={active}>
              <BookOpen size={16} aria-hidden />
              <span>{labelOf(articles)}</span>
            </Link>
          </li>
        )}
        {ratings && (
          <li>
            <Link to="/e/$model" params={{ model: ratings.name }} className="navigation-link" activeProps={active}>
              <Star size={16} aria-hidden />
              <span>{labelOf(ratings)}</span>
            </Link>
          </li>
        )}
      </ul>
    </>
  )
}

function Section({ title, tables }: { readonly title: string; readonly tables: readonly TableHead[] }) {
  if (tables.length === 0) return null
  return (
    <>
      <h2 className="navigation-title">{title}</h2>
      <ul className="plain-list">
        {tables.map((table) => (
          <li key={table.name}>
            <Link to="/e/$model" params={{ model: table.name }} className="navigation-link" activeProps={active}>
              {table.is_system ? <Building size={16} aria-hidden /> : <Table size={16} aria-hidden />}
              <span>{labelOf(table)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </>
  )
}

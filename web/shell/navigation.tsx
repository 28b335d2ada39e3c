import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import Building from 'lucide-react/icons/building-2'
import LifeBuoy from 'lucide-react/icons/life-buoy'
import ListChecks from 'lucide-react/icons/list-checks'
import Table from 'lucide-react/icons/table-2'
import { useTranslation } from 'react-i18next'
import { labelOf, type TableHead, tablesQuery } from '../api/tables.ts'
import { Loading } from '../parts/states.tsx'

const active = { className: 'navigation-link is-active', 'aria-current': 'page' } as const

/** The own work, and the tables that the caller may see. */
export function Navigation() {
  const { t } = useTranslation()
  const { data: tables } = useQuery(tablesQuery)
  if (!tables) return <Loading lines={5} height={28} />
  return (
    <nav className="navigation" aria-label={t('shell.navigation')}>
      <Link to="/my-work" className="navigation-link" activeProps={active}>
        <ListChecks size={16} aria-hidden />
        <span>{t('myWork.title')}</span>
      </Link>
      <Link to="/portal" className="navigation-link">
        <LifeBuoy size={16} aria-hidden />
        <span>{t('shell.portal')}</span>
      </Link>
      <Section title={t('shell.tables')} tables={tables.filter((table) => !table.is_system)} />
      <Section title={t('shell.directory')} tables={tables.filter((table) => table.is_system)} />
    </nav>
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

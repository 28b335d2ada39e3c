import { useQuery } from '@tanstack/react-query'
import { Navigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { tablesQuery } from '../api/tables.ts'
import { Empty, Failed, Loading } from '../parts/states.tsx'
import { lastTable } from './last-table.ts'

/** Leads to the table that was open last, else to the first one. */
export function HomeView() {
  const { t } = useTranslation()
  const { data: tables, error, refetch } = useQuery(tablesQuery)
  if (error) return <Failed error={error} retry={refetch} />
  if (!tables) return <Loading lines={8} />
  const last = lastTable()
  const first = tables.find(({ name }) => name === last) ?? tables.find((table) => !table.is_system) ?? tables[0]
  if (!first) return <Empty title={t('shell.noTables')}>{t('shell.noTablesWhy')}</Empty>
  return <Navigate to="/e/$model" params={{ model: first.name }} replace />
}

import { useQuery } from '@tanstack/react-query'
import { Navigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { readable, useUser } from '../api/permissions.ts'
import { tablesQuery } from '../api/tables.ts'
import { tablesWithViewsQuery } from '../api/views.ts'
import { keeperOf } from '../parts/last-choice.ts'
import { Empty, Failed, Loading } from '../parts/states.tsx'
import { lastTable } from './last-table.ts'

/** Leads to the table that was open last, else to one with views, else to the first one; who may read none, to the portal. */
export function HomeView() {
  const { t } = useTranslation()
  const user = useUser()
  const { data: all, error, refetch } = useQuery(tablesQuery)
  const last = lastTable(keeperOf(user))
  const { data: viewed, isPending } = useQuery({ ...tablesWithViewsQuery, enabled: last === null })
  if (error) return <Failed error={error} retry={refetch} />
  if (!all || (last === null && isPending)) return <Loading lines={8} />
  const tables = readable(user, all)
  const wanted = last ?? viewed?.find((model) => tables.some(({ name }) => name === model))
  const first = tables.find(({ name }) => name === wanted) ?? tables.find((table) => !table.is_system) ?? tables[0]
  if (!first && !user.permissions.includes('*')) return <Navigate to="/portal" replace />
  if (!first) return <Empty title={t('shell.noTables')}>{t('shell.noTablesWhy')}</Empty>
  return <Navigate to="/e/$model" params={{ model: first.name }} replace />
}

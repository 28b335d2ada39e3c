import { useQuery } from '@tanstack/react-query'
import { Link, Outlet, useNavigate } from '@tanstack/react-router'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { readable, useUser } from '../api/permissions.ts'
import { approvalsQuery } from '../api/portal.ts'
import { tablesQuery } from '../api/tables.ts'
import { ActingBar } from './acting-bar.tsx'
import { useDestinationKeys, useDestinations } from './destinations.ts'
import { OfflineBar } from './offline-bar.tsx'
import { Overlays } from './overlays.tsx'
import { ScreenLoading } from './screen-states.tsx'
import { UserMenu } from './user-menu.tsx'

/** What stands around the screens of the portal: three ways, below where there is little room, so that a thumb reaches them. */
export function PortalFrame() {
  const { t } = useTranslation()
  const user = useUser()
  const navigate = useNavigate()
  const { data: tables = [] } = useQuery(tablesQuery)
  useDestinationKeys('portal', [
    { keys: 'g h', label: t('shell.keyHome'), run: () => void navigate({ to: '/portal' }) },
  ])
  return (
    <div className="portal-frame">
      <a className="skip-link" href="#screen">
        {t('shell.skip')}
      </a>
      {user.impersonator && <ActingBar name={user.name} />}
      <header className="portal-bar">
        <Link to="/portal" className="company">
          {user.tenant.name}
        </Link>
        {readable(user, tables).length > 0 && (
          <Link to="/" className="portal-workspace">
            {t('shell.workspace')}
          </Link>
        )}
        <UserMenu profile="/portal/profile" />
      </header>
      <OfflineBar />
      <main id="screen" className="main" tabIndex={-1}>
        <Suspense fallback={<ScreenLoading />}>
          <Outlet />
        </Suspense>
      </main>
      <PortalNavigation />
      <Overlays />
    </div>
  )
}

const active = { className: 'portal-tab is-active', 'aria-current': 'page' } as const

function PortalNavigation() {
  const { t } = useTranslation()
  const destinations = useDestinations('tabs')
  return (
    <nav className="portal-tabs" aria-label={t('shell.portalNavigation')}>
      {destinations.map(({ to, tabLabel, Icon }) => (
        <Link
          key={to}
          to={to}
          className="portal-tab"
          activeOptions={{ exact: to === '/portal', includeSearch: false }}
          activeProps={active}
        >
          <Icon size={20} aria-hidden />
          {tabLabel}
          {to === '/portal/approvals' && <Waiting />}
        </Link>
      ))}
    </nav>
  )
}

/** How many decisions wait. */
function Waiting() {
  const { t } = useTranslation()
  const { data: approvals = [] } = useQuery(approvalsQuery)
  if (approvals.length === 0) return null
  return (
    <span className="portal-count">
      <span aria-hidden>{approvals.length}</span>
      <span className="visually-hidden">{t('shell.waiting', { count: approvals.length })}</span>
    </span>
  )
}

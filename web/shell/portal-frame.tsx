import { useQuery } from '@tanstack/react-query'
import { Link, Outlet, useNavigate } from '@tanstack/react-router'
import ClipboardCheck from 'lucide-react/icons/clipboard-check'
import Inbox from 'lucide-react/icons/inbox'
import LifeBuoy from 'lucide-react/icons/life-buoy'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { readable, useUser } from '../api/permissions.ts'
import { approvalsQuery } from '../api/portal.ts'
import { tablesQuery } from '../api/tables.ts'
import { useKeys } from '../keyboard/keyboard.tsx'
import { ActingBar } from './acting-bar.tsx'
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
  useKeys([
    { keys: 'g h', label: t('shell.keyHome'), run: () => void navigate({ to: '/portal' }) },
    { keys: 'g r', label: t('shell.keyRequests'), run: () => void navigate({ to: '/portal/requests' }) },
    { keys: 'g a', label: t('shell.keyApprovals'), run: () => void navigate({ to: '/portal/approvals' }) },
    { keys: 'g p', label: t('shell.keyProfile'), run: () => void navigate({ to: '/portal/profile' }) },
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
  const { data: approvals = [] } = useQuery(approvalsQuery)
  return (
    <nav className="portal-tabs" aria-label={t('shell.portalNavigation')}>
      <Link to="/portal" className="portal-tab" activeOptions={{ exact: true }} activeProps={active}>
        <LifeBuoy size={20} aria-hidden />
        {t('shell.portalHome')}
      </Link>
      <Link to="/portal/requests" className="portal-tab" activeOptions={{ includeSearch: false }} activeProps={active}>
        <Inbox size={20} aria-hidden />
        {t('shell.ownRequests')}
      </Link>
      <Link to="/portal/approvals" className="portal-tab" activeProps={active}>
        <ClipboardCheck size={20} aria-hidden />
        {t('shell.approvals')}
        {approvals.length > 0 && (
          <span className="portal-count">
            <span aria-hidden>{approvals.length}</span>
            <span className="visually-hidden">{t('shell.waiting', { count: approvals.length })}</span>
          </span>
        )}
      </Link>
    </nav>
  )
}

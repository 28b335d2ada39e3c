import { Burger } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Link, Outlet, useNavigate, useRouterState } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useEffectEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { useUser } from '../api/permissions.ts'
import { undoLast } from '../parts/undo.tsx'
import { ActingBar } from './acting-bar.tsx'
import { Bell } from './bell.tsx'
import { useDestinationKeys } from './destinations.ts'
import { Navigation } from './navigation.tsx'
import { OfflineBar } from './offline-bar.tsx'
import { Overlays } from './overlays.tsx'
import { PaletteButton } from './palette-button.tsx'
import { ScreenLoading } from './screen-states.tsx'
import { UserMenu } from './user-menu.tsx'

const MenuDrawer = lazy(() => import('./menu-drawer.tsx'))

/** What stands around every screen: navigation, search, the bell, and who is signed in. */
export function Frame() {
  const { t } = useTranslation()
  const user = useUser()
  const [isOpen, menu] = useDisclosure()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const navigate = useNavigate()
  useDestinationKeys('workspace', [
    { keys: 'z', label: t('shell.keyUndo'), run: undoLast },
    { keys: 'g h', label: t('shell.keyHome'), run: () => void navigate({ to: '/' }) },
  ])
  // A screen that was chosen in the menu covers it.
  const closeMenu = useEffectEvent(() => menu.close())
  useEffect(() => closeMenu(), [path])
  return (
    <div className="frame">
      <a className="skip-link" href="#screen">
        {t('shell.skip')}
      </a>
      {user.impersonator && <ActingBar name={user.name} />}
      <header className="top-bar">
        <Burger
          className="only-narrow"
          size="sm"
          opened={isOpen}
          onClick={menu.toggle}
          aria-label={t('shell.openMenu')}
          aria-expanded={isOpen}
        />
        <Link to="/" className="company">
          {user.tenant.name}
        </Link>
        <PaletteButton />
        <Bell />
        <UserMenu />
      </header>
      <aside className="side only-wide">
        <Navigation />
      </aside>
      <Suspense fallback={null}>{isOpen && <MenuDrawer title={user.tenant.name} onClose={menu.close} />}</Suspense>
      <OfflineBar />
      <main id="screen" className="main" tabIndex={-1}>
        <Suspense fallback={<ScreenLoading />}>
          <Outlet />
        </Suspense>
      </main>
      <Overlays />
    </div>
  )
}

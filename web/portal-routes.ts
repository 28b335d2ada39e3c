import { createRoute } from '@tanstack/react-router'
import ClipboardCheck from 'lucide-react/icons/clipboard-check'
import Inbox from 'lucide-react/icons/inbox'
import LifeBuoy from 'lucide-react/icons/life-buoy'
import { queryClient } from './api/query-client.ts'
import { readRequestSearch, readRequestsSearch } from './portal/portal-search.ts'
import { requireSession, root, screen } from './root-route.ts'
import { profileDestination } from './shell/destinations.ts'
import { portalStyles } from './shell/portal-styles.ts'
import { laterWords } from './words/words.ts'

/** What people without permissions on tables see: a lighter frame around screens of its own. */
const frame = createRoute({
  getParentRoute: () => root,
  path: '/portal',
  beforeLoad: ({ location }) => requireSession(location.href),
  loader: () => portalStyles(),
  component: screen(() => import('./shell/portal-frame.tsx'), 'PortalFrame'),
})

const home = createRoute({
  getParentRoute: () => frame,
  path: '/',
  staticData: {
    destination: {
      label: { en: 'Portal', de: 'Portal' },
      tabLabel: { en: 'Help', de: 'Hilfe' },
      Icon: LifeBuoy,
      listedIn: ['side', 'tabs'],
    },
  },
  loader: () => laterWords(),
  component: screen(() => import('./portal/home/portal-home-view.tsx'), 'PortalHomeView'),
})

const item = createRoute({
  getParentRoute: () => frame,
  path: '/items/$id',
  loader: () =>
    Promise.all([
      import('./api/portal.ts').then(({ itemsQuery }) => queryClient.prefetchQuery(itemsQuery)),
      laterWords(),
    ]),
  component: screen(() => import('./portal/item/item-view.tsx'), 'ItemView'),
})

const article = createRoute({
  getParentRoute: () => frame,
  path: '/articles/$id',
  loader: () => laterWords(),
  component: screen(() => import('./portal/article/article-view.tsx'), 'ArticleView'),
})

const requests = createRoute({
  getParentRoute: () => frame,
  path: '/requests',
  staticData: {
    destination: {
      label: { en: 'My requests', de: 'Meine Anfragen' },
      Icon: Inbox,
      listedIn: ['tabs'],
      keys: 'g r',
    },
  },
  validateSearch: readRequestsSearch,
  loader: () => laterWords(),
  component: screen(() => import('./portal/requests/requests-view.tsx'), 'RequestsView'),
})

const request = createRoute({
  getParentRoute: () => frame,
  path: '/requests/$id',
  validateSearch: readRequestSearch,
  loader: () => laterWords(),
  component: screen(() => import('./portal/request/request-view.tsx'), 'RequestView'),
})

const approvals = createRoute({
  getParentRoute: () => frame,
  path: '/approvals',
  staticData: {
    destination: {
      label: { en: 'Approvals', de: 'Freigaben' },
      Icon: ClipboardCheck,
      listedIn: ['tabs'],
      keys: 'g a',
    },
  },
  loader: () => laterWords(),
  component: screen(() => import('./portal/approvals/approvals-view.tsx'), 'ApprovalsView'),
})

const profile = createRoute({
  getParentRoute: () => frame,
  path: '/profile',
  staticData: { destination: profileDestination },
  loader: () => laterWords(),
  component: screen(() => import('./profile/profile-view.tsx'), 'ProfileView'),
})

export const portal = frame.addChildren([home, item, article, requests, request, approvals, profile])

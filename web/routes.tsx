import { type QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import { readOperationsSearch } from './admin/operations/operations-search.ts'
import { ApiError, Unreachable } from './api/client.ts'
import { queryClient } from './api/query-client.ts'
import { sessionQuery } from './api/session.ts'
import { tableQuery, tablesQuery } from './api/tables.ts'
import { viewsQuery } from './api/views.ts'
import { readArticlesSearch } from './articles/articles-search.ts'
import { readIncomingSearch } from './incoming/incoming-search.ts'
import { readRequestSearch, readRequestsSearch } from './portal/portal-search.ts'
import { readQueueSearch } from './queue/queue-search.ts'
import { readRecordSearch } from './record/record-search.ts'
import { readSignInSearch } from './session/sign-in-search.ts'
import { followAccent } from './shell/follow-accent.ts'
import { Frame } from './shell/frame.tsx'
import { portalStyles } from './shell/portal-styles.ts'
import { NotFound, ScreenFailed, ScreenLoading } from './shell/screen-states.tsx'
import { laterWords } from './words/words.ts'

/*
 * The map of screens. A screen is a folder: its view, its queries, its parts. To add one: a folder with its view, a route
 * here that loads it when it is opened, and its words in words/en and words/de.
 */

interface Context {
  readonly queryClient: QueryClient
}

/**
 * A screen that is loaded when it is opened. Where the service has newer files, the router reloads the page; without a
 * connection that would take away what is on it.
 */
const screen: typeof lazyRouteComponent = (load, name) => {
  const loadOnline: typeof load = async () => {
    try {
      return await load()
    } catch (cause) {
      throw navigator.onLine ? cause : new Unreachable('The screen was not reached.', { cause })
    }
  }
  return lazyRouteComponent(loadOnline, name)
}

const root = createRootRouteWithContext<Context>()({ component: Outlet, notFoundComponent: NotFound })

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: readSignInSearch,
  component: screen(() => import('./session/sign-in-view.tsx'), 'SignInView'),
})

const chooseCompany = createRoute({
  getParentRoute: () => root,
  path: '/choose-company',
  validateSearch: readSignInSearch,
  beforeLoad: ({ location }) => requireSession(location.href),
  component: screen(() => import('./session/choose-company-view.tsx'), 'ChooseCompanyView'),
})

/** The pages behind mailed links, for people who need not be signed in. */
const links = [
  createRoute({
    getParentRoute: () => root,
    path: '/join/$token',
    loader: () => laterWords(),
    component: screen(() => import('./links/join-view.tsx'), 'JoinView'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/password/forgot',
    loader: () => laterWords(),
    component: screen(() => import('./links/forgot-password-view.tsx'), 'ForgotPasswordView'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/password/reset/$token',
    loader: () => laterWords(),
    component: screen(() => import('./links/reset-password-view.tsx'), 'ResetPasswordView'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/email/verify/$token',
    loader: () => laterWords(),
    component: screen(() => import('./links/verify-email-view.tsx'), 'VerifyEmailView'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/follow/$token',
    loader: () => Promise.all([laterWords(), portalStyles()]),
    component: screen(() => import('./links/follow-view.tsx'), 'FollowView'),
  }),
] as const

/** Everything for people who are signed in: navigation around a screen. */
const frame = createRoute({
  getParentRoute: () => root,
  id: 'frame',
  beforeLoad: ({ location }) => requireSession(location.href),
  component: Frame,
})

const home = createRoute({
  getParentRoute: () => frame,
  path: '/',
  component: screen(() => import('./shell/home-view.tsx'), 'HomeView'),
})

const queue = createRoute({
  getParentRoute: () => frame,
  path: '/e/$model',
  validateSearch: readQueueSearch,
  loader: ({ params: { model } }) =>
    Promise.all([queryClient.ensureQueryData(tableQuery(model)), queryClient.prefetchQuery(viewsQuery(model))]),
  component: screen(() => import('./queue/queue-view.tsx'), 'QueueView'),
})

const newRecord = createRoute({
  getParentRoute: () => frame,
  path: '/e/$model/new',
  loader: ({ params: { model } }) => Promise.all([queryClient.ensureQueryData(tableQuery(model)), laterWords()]),
  component: screen(() => import('./record/new-record-view.tsx'), 'NewRecordView'),
})

const record = createRoute({
  getParentRoute: () => frame,
  path: '/e/$model/$id',
  validateSearch: readRecordSearch,
  loader: ({ params: { model } }) => Promise.all([queryClient.ensureQueryData(tableQuery(model)), laterWords()]),
  component: screen(() => import('./record/record-view.tsx'), 'RecordView'),
})

const myWork = createRoute({
  getParentRoute: () => frame,
  path: '/my-work',
  loader: () => laterWords(),
  component: screen(() => import('./my-work/my-work-view.tsx'), 'MyWorkView'),
})

const incoming = createRoute({
  getParentRoute: () => frame,
  path: '/incoming',
  validateSearch: readIncomingSearch,
  loader: () => laterWords(),
  component: screen(() => import('./incoming/incoming-view.tsx'), 'IncomingView'),
})

const articles = createRoute({
  getParentRoute: () => frame,
  path: '/articles',
  validateSearch: readArticlesSearch,
  loader: () => laterWords(),
  component: screen(() => import('./articles/articles-view.tsx'), 'ArticlesView'),
})

const article = createRoute({
  getParentRoute: () => frame,
  path: '/articles/$id',
  loader: () => laterWords(),
  component: screen(() => import('./articles/article-view.tsx'), 'ArticleView'),
})

const operations = createRoute({
  getParentRoute: () => frame,
  path: '/admin/operations',
  validateSearch: readOperationsSearch,
  loader: () => laterWords(),
  component: screen(() => import('./admin/operations/operations-view.tsx'), 'OperationsView'),
})

const profile = createRoute({
  getParentRoute: () => frame,
  path: '/profile',
  loader: () => laterWords(),
  component: screen(() => import('./profile/profile-view.tsx'), 'ProfileView'),
})

/** What people without permissions on tables see: a lighter frame around screens of its own. */
const portal = createRoute({
  getParentRoute: () => root,
  path: '/portal',
  beforeLoad: ({ location }) => requireSession(location.href),
  loader: () => portalStyles(),
  component: screen(() => import('./shell/portal-frame.tsx'), 'PortalFrame'),
})

const portalHome = createRoute({
  getParentRoute: () => portal,
  path: '/',
  loader: () => laterWords(),
  component: screen(() => import('./portal/home/portal-home-view.tsx'), 'PortalHomeView'),
})

const portalItem = createRoute({
  getParentRoute: () => portal,
  path: '/items/$id',
  loader: () =>
    Promise.all([
      import('./api/portal.ts').then(({ itemsQuery }) => queryClient.prefetchQuery(itemsQuery)),
      laterWords(),
    ]),
  component: screen(() => import('./portal/item/item-view.tsx'), 'ItemView'),
})

const portalArticle = createRoute({
  getParentRoute: () => portal,
  path: '/articles/$id',
  loader: () => laterWords(),
  component: screen(() => import('./portal/article/article-view.tsx'), 'ArticleView'),
})

const portalRequests = createRoute({
  getParentRoute: () => portal,
  path: '/requests',
  validateSearch: readRequestsSearch,
  loader: () => laterWords(),
  component: screen(() => import('./portal/requests/requests-view.tsx'), 'RequestsView'),
})

const portalRequest = createRoute({
  getParentRoute: () => portal,
  path: '/requests/$id',
  validateSearch: readRequestSearch,
  loader: () => laterWords(),
  component: screen(() => import('./portal/request/request-view.tsx'), 'RequestView'),
})

const portalApprovals = createRoute({
  getParentRoute: () => portal,
  path: '/approvals',
  loader: () => laterWords(),
  component: screen(() => import('./portal/approvals/approvals-view.tsx'), 'ApprovalsView'),
})

const portalProfile = createRoute({
  getParentRoute: () => portal,
  path: '/profile',
  loader: () => laterWords(),
  component: screen(() => import('./profile/profile-view.tsx'), 'ProfileView'),
})

/** Sends whoever is not signed in to the sign-in, which leads back. */
async function requireSession(to: string): Promise<void> {
  try {
    const [user] = await Promise.all([
      queryClient.ensureQueryData(sessionQuery),
      // Read meanwhile: the frame shows them.
      queryClient.prefetchQuery(tablesQuery),
    ])
    await followAccent(user.accent_color)
    if (user.mfa_setup_required && !to.startsWith('/profile')) throw redirect({ to: '/profile' })
  } catch (error) {
    if (error instanceof ApiError && error.status === 401)
      throw redirect({ to: '/sign-in', search: to === '/' ? {} : { to } })
    throw error
  }
}

export const router = createRouter({
  routeTree: root.addChildren([
    signIn,
    chooseCompany,
    ...links,
    frame.addChildren([home, queue, newRecord, record, myWork, incoming, articles, article, operations, profile]),
    portal.addChildren([
      portalHome,
      portalItem,
      portalArticle,
      portalRequests,
      portalRequest,
      portalApprovals,
      portalProfile,
    ]),
  ]),
  context: { queryClient },
  defaultPreload: 'intent',
  defaultPreloadStaleTime: 0,
  defaultPendingMs: 300,
  defaultPendingComponent: ScreenLoading,
  defaultErrorComponent: ScreenFailed,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}

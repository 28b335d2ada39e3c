import { createBrowserHistory, createRoute, createRouter } from '@tanstack/react-router'
import Inbox from 'lucide-react/icons/inbox'
import ListChecks from 'lucide-react/icons/list-checks'
import Workflow from 'lucide-react/icons/workflow'
import { readOperationsSearch } from './admin/operations/operations-search.ts'
import { may, readable } from './api/permissions.ts'
import { queryClient } from './api/query-client.ts'
import { tableQuery } from './api/tables.ts'
import { viewsQuery } from './api/views.ts'
import { readArticlesSearch } from './articles/articles-search.ts'
import { readIncomingSearch } from './incoming/incoming-search.ts'
import { portal } from './portal-routes.ts'
import { readQueueSearch } from './queue/queue-search.ts'
import { readRecordSearch } from './record/record-search.ts'
import { requireSession, root, screen } from './root-route.ts'
import { readSignInSearch } from './session/sign-in-search.ts'
import { profileDestination } from './shell/destinations.ts'
import { followAccent } from './shell/follow-accent.ts'
import { Frame } from './shell/frame.tsx'
import { portalStyles } from './shell/portal-styles.ts'
import { ScreenFailed, ScreenLoading } from './shell/screen-states.tsx'
import { laterWords } from './words/words.ts'

/*
 * The map of screens. A screen is a folder: its view, its queries, its parts. To add one: a folder with its view, a route
 * here that loads it when it is opened, and its words in words/en and words/de.
 */

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
  createRoute({
    getParentRoute: () => root,
    path: '/decide/$token',
    /** The button of the mail that was pressed. */
    validateSearch: ({ outcome }): { readonly outcome?: string | undefined } => ({
      outcome: outcome === undefined ? undefined : String(outcome),
    }),
    loader: async ({ params: { token } }) => {
      const { decisionQuery } = await import('./api/links.ts')
      const query = decisionQuery(token)
      await Promise.all([laterWords(), portalStyles(), queryClient.prefetchQuery(query)])
      await followAccent(queryClient.getQueryData(query.queryKey)?.accent_color)
    },
    component: screen(() => import('./links/decide-view.tsx'), 'DecideView'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/unsubscribe/$token',
    loader: async ({ params: { token } }) => {
      const { endingQuery } = await import('./api/links.ts')
      const query = endingQuery(token)
      await Promise.all([laterWords(), queryClient.prefetchQuery(query)])
      await followAccent(queryClient.getQueryData(query.queryKey)?.accent_color)
    },
    component: screen(() => import('./links/unsubscribe-view.tsx'), 'UnsubscribeView'),
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
  staticData: {
    destination: {
      label: { en: 'My work', de: 'Meine Arbeit' },
      Icon: ListChecks,
      isFor: (user, tables) => readable(user, tables).length > 0,
      listedIn: ['side'],
      keys: 'g w',
    },
  },
  loader: () => laterWords(),
  component: screen(() => import('./my-work/my-work-view.tsx'), 'MyWorkView'),
})

const incoming = createRoute({
  getParentRoute: () => frame,
  path: '/incoming',
  staticData: {
    destination: {
      label: { en: 'Incoming', de: 'Eingang' },
      Icon: Inbox,
      isFor: (user) => may(user, 'read', 'incoming_messages'),
      listedIn: ['side'],
      keys: 'g i',
    },
  },
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
  staticData: {
    destination: {
      label: { en: 'Processes', de: 'Prozesse' },
      Icon: Workflow,
      isFor: ({ permissions }) => permissions.includes('*'),
      listedIn: ['side'],
    },
  },
  validateSearch: readOperationsSearch,
  loader: () => laterWords(),
  component: screen(() => import('./admin/operations/operations-view.tsx'), 'OperationsView'),
})

const profile = createRoute({
  getParentRoute: () => frame,
  path: '/profile',
  staticData: { destination: profileDestination },
  loader: () => laterWords(),
  component: screen(() => import('./profile/profile-view.tsx'), 'ProfileView'),
})

const routeTree = root.addChildren([
  signIn,
  chooseCompany,
  ...links,
  frame.addChildren([home, queue, newRecord, record, myWork, incoming, articles, article, operations, profile]),
  portal,
])

/** `history`: where it goes; left out, the address of the browser. */
export const makeRouter = (history = createBrowserHistory()) =>
  createRouter({
    routeTree,
    history,
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
    router: ReturnType<typeof makeRouter>
  }
}

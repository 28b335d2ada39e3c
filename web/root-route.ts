import { type QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, lazyRouteComponent, Outlet, redirect } from '@tanstack/react-router'
import { ApiError, Unreachable } from './api/client.ts'
import { queryClient } from './api/query-client.ts'
import { sessionQuery } from './api/session.ts'
import { tablesQuery } from './api/tables.ts'
import type { Destination } from './shell/destinations.ts'
import { followAccent } from './shell/follow-accent.ts'
import { NotFound } from './shell/screen-states.tsx'

/*
 * What the routes of all screens are made of.
 */

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** Where navigation, palette and keys lead here; left out for what is reached from another screen only. */
    readonly destination?: Destination
  }
}

interface Context {
  readonly queryClient: QueryClient
}

export const root = createRootRouteWithContext<Context>()({ component: Outlet, notFoundComponent: NotFound })

/**
 * A screen that is loaded when it is opened. Where the service has newer files, the router reloads the page; without a
 * connection that would take away what is on it.
 */
export const screen: typeof lazyRouteComponent = (load, name) => {
  const loadOnline: typeof load = async () => {
    try {
      return await load()
    } catch (cause) {
      throw navigator.onLine ? cause : new Unreachable('The screen was not reached.', { cause })
    }
  }
  return lazyRouteComponent(loadOnline, name)
}

/** Sends whoever is not signed in to the sign-in, which leads back. */
export async function requireSession(to: string): Promise<void> {
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

import type { Route } from '../../../shared/platform/http/routing/define-route.ts'
import { byHandRoutes } from './by-hand-routes.ts'
import { incomingActionRoutes } from './incoming-action-routes.ts'
import { messageRoutes } from './message-routes.ts'
import { sourceRoutes } from './source-routes.ts'

export const routes: readonly Route[] = [
  ...messageRoutes,
  ...byHandRoutes,
  ...incomingActionRoutes,
  ...Object.values(sourceRoutes),
]

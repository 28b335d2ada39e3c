import type { Route } from '../../../shared/platform/http/routing/define-route.ts'
import { bellRoutes } from './bell-routes.ts'
import { preferenceRoutes } from './preference-routes.ts'

export const routes: readonly Route[] = [...bellRoutes, ...preferenceRoutes]

import type { Route } from '../../../shared/platform/http/routing/define-route.ts'
import { accountRoutes } from './account-routes.ts'
import { routes as externalRoutes } from './external-routes.ts'
import { invitationRoutes } from './invitation-routes.ts'
import { mfaRoutes } from './mfa-routes.ts'
import { recoveryRoutes } from './recovery-routes.ts'
import { sessionRoutes } from './session-routes.ts'

export const routes: readonly Route[] = [
  ...accountRoutes,
  ...sessionRoutes,
  ...invitationRoutes,
  ...externalRoutes,
  ...recoveryRoutes,
  ...mfaRoutes,
]

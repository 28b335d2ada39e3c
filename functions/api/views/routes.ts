import type { Route } from '../../../shared/platform/http/routing/define-route.ts'
import { allViewRoutes } from '../../../shared/records/views/schema.ts'

export const routes: readonly Route[] = allViewRoutes

import type { Route } from '../../../shared/platform/http/routing/define-route.ts'
import { decisionRoutes } from './decision-routes.ts'
import { diagramRoutes } from './diagram-routes.ts'
import { eventRoutes } from './event-routes.ts'
import { instanceRoutes } from './instance-routes.ts'
import { mailedDecisionRoutes } from './mailed-decision-routes.ts'
import { taskRoutes } from './task-routes.ts'
import { templateRoutes } from './template-routes.ts'

export const routes: readonly Route[] = [
  ...templateRoutes,
  ...instanceRoutes,
  ...diagramRoutes,
  ...taskRoutes,
  ...mailedDecisionRoutes,
  ...eventRoutes,
  ...decisionRoutes,
]

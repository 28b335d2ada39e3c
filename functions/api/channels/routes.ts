import type { Route } from '../../../shared/platform/http/routing/define-route.ts'
import { channelRoutes } from './channel-routes.ts'
import { deliveryRoutes } from './delivery-routes.ts'
import { messengerRoutes } from './messenger-routes.ts'
import { notificationTemplateRoutes } from './notification-template-routes.ts'
import { replyRoutes } from './reply-routes.ts'
import { testMailRoutes } from './test-mail-routes.ts'

export const routes: readonly Route[] = [
  ...channelRoutes,
  ...deliveryRoutes,
  ...messengerRoutes,
  ...notificationTemplateRoutes,
  ...replyRoutes,
  ...testMailRoutes,
]

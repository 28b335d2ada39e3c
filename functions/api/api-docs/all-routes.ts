import type { Route } from '../../../shared/platform/http/routing/define-route.ts'
import { routes as auth } from '../auth/routes.ts'
import { routes as channels } from '../channels/routes.ts'
import { documentRoutes, objectRoutes } from '../configuration/routes.ts'
import { routes as directory } from '../directory/routes.ts'
import { routes as files } from '../files/routes.ts'
import { routes as history } from '../history/routes.ts'
import { routes as importExport } from '../import-export/routes.ts'
import { routes as inbound } from '../inbound/routes.ts'
import { routes as incoming } from '../incoming/routes.ts'
import { routes as jobs } from '../jobs/routes.ts'
import { routes as lists } from '../lists/routes.ts'
import { routes as mailbox } from '../mailbox/routes.ts'
import { routes as messengerWebhook } from '../messenger-webhook/routes.ts'
import { routes as notifications } from '../notifications/routes.ts'
import { routes as portal } from '../portal/routes.ts'
import { routes as processes } from '../processes/routes.ts'
import { routes as records } from '../records/routes.ts'
import { routes as relations } from '../relations/routes.ts'
import { routes as scripts } from '../scripts/routes.ts'
import { routes as tables } from '../tables/routes.ts'
import { routes as tenant } from '../tenant/routes.ts'
import { routes as views } from '../views/routes.ts'
import { routes as apiDocs } from './routes.ts'

/** The routes of every API function: what the reference describes. */
export const allRoutes: readonly Route[] = [
  ...auth,
  ...directory,
  ...tenant,
  ...tables,
  ...documentRoutes,
  ...lists,
  ...views,
  ...records,
  ...importExport,
  ...relations,
  ...files,
  ...history,
  ...jobs,
  ...scripts,
  ...processes,
  ...portal,
  ...messengerWebhook,
  ...notifications,
  ...channels,
  ...objectRoutes,
  ...incoming,
  ...mailbox,
  ...inbound,
  ...apiDocs,
]

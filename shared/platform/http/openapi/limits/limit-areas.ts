import { accountsLimits } from './areas/accounts.ts'
import { commentsLimits } from './areas/comments.ts'
import { configurationLimits } from './areas/configuration.ts'
import { decisionsLimits } from './areas/decisions.ts'
import { filesLimits } from './areas/files.ts'
import { importsLimits } from './areas/imports.ts'
import { incomingLimits } from './areas/incoming.ts'
import { listsLimits } from './areas/lists.ts'
import { messagesLimits } from './areas/messages.ts'
import { portalLimits } from './areas/portal.ts'
import { processesLimits } from './areas/processes.ts'
import { recordsLimits } from './areas/records.ts'
import { relationsLimits } from './areas/relations.ts'
import { requestsLimits } from './areas/requests.ts'
import { scriptsLimits } from './areas/scripts.ts'
import { tablesLimits } from './areas/tables.ts'
import type { LimitArea } from './explained.ts'

/** Every declared limit, in reading order. */
export const limitAreas: readonly LimitArea[] = [
  requestsLimits,
  tablesLimits,
  recordsLimits,
  listsLimits,
  importsLimits,
  filesLimits,
  relationsLimits,
  commentsLimits,
  accountsLimits,
  scriptsLimits,
  portalLimits,
  processesLimits,
  decisionsLimits,
  messagesLimits,
  incomingLimits,
  configurationLimits,
]

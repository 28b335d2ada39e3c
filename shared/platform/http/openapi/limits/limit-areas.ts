import { accountsLimits } from './accounts.ts'
import { commentsLimits } from './comments.ts'
import { configurationLimits } from './configuration.ts'
import type { LimitArea } from './explained.ts'
import { filesLimits } from './files.ts'
import { importsLimits } from './imports.ts'
import { incomingLimits } from './incoming.ts'
import { listsLimits } from './lists.ts'
import { messagesLimits } from './messages.ts'
import { processesLimits } from './processes.ts'
import { recordsLimits } from './records.ts'
import { relationsLimits } from './relations.ts'
import { requestsLimits } from './requests.ts'
import { scriptsLimits } from './scripts.ts'
import { tablesLimits } from './tables.ts'

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
  processesLimits,
  messagesLimits,
  incomingLimits,
  configurationLimits,
]

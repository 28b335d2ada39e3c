import type { PortalDependencies } from '../../../shared/automation/portal/dependencies.ts'
import { queries } from '../lists/queries.ts'
import { config } from '../platform/config.ts'
import { lazyObjects } from '../platform/lazy-objects.ts'
import { files } from '../tables/files.ts'
import { comments } from './comments.ts'
import { recordWrites } from './record-writes.ts'

/** What the portal, and the links in its mails, need. */
export const portalDependencies: PortalDependencies = {
  records: recordWrites,
  comments,
  files,
  config,
  queries,
  fetchObject: lazyObjects.fetchObject,
}

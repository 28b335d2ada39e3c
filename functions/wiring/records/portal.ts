import { createPortal } from '../../../shared/automation/portal/service.ts'
import { queries } from '../lists/queries.ts'
import { config } from '../platform/config.ts'
import { lazyObjects } from '../platform/lazy-objects.ts'
import { files } from '../tables/files.ts'
import { comments } from './comments.ts'
import { recordWrites } from './record-writes.ts'

/** What people without permissions on tables ask for. */
export const portal = createPortal({
  records: recordWrites,
  comments,
  files,
  config,
  queries,
  fetchObject: lazyObjects.fetchObject,
})

import type { RuleDependencies } from '../../../shared/automation/incoming-actions/service.ts'
import { clock } from '../../../shared/kernel/clock.ts'
import { config } from '../config.ts'
import { lazyObjects } from '../lazy-objects.ts'
import { comments } from '../records/comments.ts'
import { recordWrites } from '../records/record-writes.ts'
import { store } from '../store.ts'
import { tables } from '../tables.ts'
import { timeZone } from '../time-zone.ts'

/** The rules that turn messages into records. */
export const rules: RuleDependencies = {
  store,
  clock,
  config,
  tables,
  records: recordWrites,
  comments,
  openScripts: recordWrites.openScripts,
  fetchObject: lazyObjects.fetchObject,
  timeZone,
}

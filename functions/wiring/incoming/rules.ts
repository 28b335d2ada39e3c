import type { RuleDependencies } from '../../../shared/automation/incoming-actions/run/dependencies.ts'
import { tellProcessByRule } from '../../../shared/automation/processes/instances/send-events.ts'
import { clock } from '../../../shared/kernel/time/clock.ts'
import { config } from '../platform/config.ts'
import { lazyObjects } from '../platform/lazy-objects.ts'
import { store } from '../platform/store.ts'
import { comments } from '../records/comments.ts'
import { recordWrites } from '../records/record-writes.ts'
import { tables } from '../tables/tables.ts'
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
  tellProcess: tellProcessByRule(clock),
}

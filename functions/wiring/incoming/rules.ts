import type { RepeatDependencies } from '../../../shared/incoming-actions/service.ts'
import { clock } from '../../../shared/kernel/clock.ts'
import { requireEnvironment } from '../../../shared/kernel/require-environment.ts'
import { tenantLane } from '../../../shared/queue/tenant-lane.ts'
import { config } from '../config.ts'
import { lazyObjects } from '../lazy-objects.ts'
import { comments } from '../records/comments.ts'
import { recordWrites } from '../records/record-writes.ts'
import { send } from '../send.ts'
import { store } from '../store.ts'
import { tables } from '../tables.ts'
import { timeZone } from '../time-zone.ts'

const queueUrl = requireEnvironment('INCOMING_QUEUE_URL')

/** The rules that turn messages into records. */
export const rules: RepeatDependencies = {
  store,
  clock,
  config,
  tables,
  records: recordWrites,
  comments,
  openScripts: recordWrites.openScripts,
  fetchObject: lazyObjects.fetchObject,
  timeZone,
  continueLater: async (tenant, { id, conversation }) => {
    const order = { group: tenantLane(tenant.id, conversation), id: clock.uuid() }
    const refused = await send(queueUrl, [{ v: 1, tenant_id: tenant.id, message_id: id }], { order: [order] })
    if (refused.length > 0) throw new Error(refused[0]?.reason)
  },
}

import type { ProcessingDependencies } from '../../../shared/automation/incoming-actions/run/dependencies.ts'
import { requireEnvironment } from '../../../shared/kernel/runtime/require-environment.ts'
import { clock } from '../../../shared/kernel/time/clock.ts'
import { tenantLane } from '../../../shared/platform/queue/message-attributes.ts'
import { send } from '../platform/send.ts'

const queueUrl = requireEnvironment('INCOMING_QUEUE_URL')

/** Queues a message that there was no time for, behind those of its conversation that are queued already. */
export const continueLater: ProcessingDependencies['continueLater'] = async (tenant, { id, conversation }) => {
  const order = { group: tenantLane(tenant.id, conversation), id: clock.uuid() }
  const refused = await send(queueUrl, [{ v: 1, tenant_id: tenant.id, message_id: id }], { order: [order] })
  if (refused.length > 0) throw new Error(refused[0]?.reason)
}

import { findTenantOfMessage } from '../../shared/auth/service.ts'
import { administratorBell } from '../../shared/bell/service.ts'
import { channelOpener, channelSequence } from '../../shared/channels/service.ts'
import {
  type AttemptDependencies,
  attemptDelivery,
  createChannelGate,
  DeliveryWake,
  describeNotice,
} from '../../shared/deliveries/service.ts'
import { clock } from '../../shared/kernel/clock.ts'
import { onQueue } from '../../shared/queue/on-queue.ts'
import { config } from '../wiring/config.ts'
import { wakeDeliveries } from '../wiring/messages/wake-deliveries.ts'
import { webhooks } from '../wiring/messages/webhooks.ts'
import { secretBox as secrets } from '../wiring/secrets.ts'
import { store } from '../wiring/store.ts'

const bell = administratorBell({ store, clock })
const dependencies: AttemptDependencies<'webhook'> = {
  store,
  clock,
  config,
  openChannel: channelOpener(secrets, clock),
  sender: webhooks,
  gate: createChannelGate({
    store,
    clock,
    config,
    tell: (tenant, notice) =>
      bell(tenant, { ...describeNotice(notice), model: channelSequence, recordId: notice.channel.id }),
  }),
  wake: wakeDeliveries,
}

/** Makes one attempt at each webhook that is due. */
export const handler = onQueue(DeliveryWake, async ({ tenant_id, delivery_id }) => {
  const tenant = await findTenantOfMessage(store, tenant_id)
  if (tenant) await attemptDelivery(dependencies, tenant, delivery_id)
})

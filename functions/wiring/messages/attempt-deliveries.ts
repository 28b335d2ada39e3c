import { findTenantOfMessage } from '../../../shared/accounts/auth/service.ts'
import { clock } from '../../../shared/kernel/clock.ts'
import { administratorBell } from '../../../shared/messages/bell/service.ts'
import type { ChannelType } from '../../../shared/messages/channels/schema.ts'
import { channelOpener, channelSequence } from '../../../shared/messages/channels/service.ts'
import {
  attemptDelivery,
  createChannelGate,
  DeliveryWake,
  describeNotice,
  type Sender,
} from '../../../shared/messages/deliveries/service.ts'
import { onQueue } from '../../../shared/platform/queue/on-queue.ts'
import { config } from '../config.ts'
import { secretBox as secrets } from '../secrets.ts'
import { store } from '../store.ts'
import { contents } from './contents.ts'
import { wakeDeliveries } from './wake-deliveries.ts'

const bell = administratorBell({ store, clock })

/** What attempts with a sender need. */
export const attemptsWith = <Type extends ChannelType>(sender: Sender<Type>) => ({
  store,
  clock,
  config,
  openChannel: channelOpener(secrets, clock),
  sender,
  gate: createChannelGate({
    store,
    clock,
    config,
    tell: (tenant, notice) =>
      bell(tenant, { ...describeNotice(notice), model: channelSequence, recordId: notice.channel.id }),
  }),
  wake: wakeDeliveries,
  ...contents,
})

/** The handler of a queue of deliveries: makes one attempt at each that is due, with the sender of their type. */
export function attemptDeliveries<Type extends ChannelType>(sender: Sender<Type>) {
  const dependencies = attemptsWith(sender)
  return onQueue(DeliveryWake, async ({ tenant_id, delivery_id }) => {
    const tenant = await findTenantOfMessage(store, tenant_id)
    if (tenant) await attemptDelivery(dependencies, tenant, delivery_id)
  })
}

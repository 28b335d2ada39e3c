import { clock } from '../../../shared/kernel/time/clock.ts'
import { administratorBell } from '../../../shared/messages/bell/tell-administrators.ts'
import { channelSequence } from '../../../shared/messages/channels/channel.ts'
import { channelOpener } from '../../../shared/messages/channels/config/channel-secrets.ts'
import { createChannelGate } from '../../../shared/messages/deliveries/attempt/channel-gate.ts'
import { describeNotice } from '../../../shared/messages/deliveries/attempt/describe-notice.ts'
import type { Sender } from '../../../shared/messages/deliveries/sender.ts'
import { config } from '../platform/config.ts'
import { secretBox as secrets } from '../platform/secrets.ts'
import { store } from '../platform/store.ts'
import { contents } from './contents.ts'
import { stopUrls, taskUrl } from './record-links.ts'
import { wakeDeliveries } from './wake-deliveries.ts'

const bell = administratorBell({ store, clock })

/** What attempts with a sender need. */
export const attemptsWith = (sender: Sender) => ({
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
  taskUrl,
  stopUrls,
})

import { environment } from '../../../shared/kernel/runtime/environment.ts'
import type { Tenant } from '../../../shared/kernel/tenancy.ts'
import { clock } from '../../../shared/kernel/time/clock.ts'
import { channelOpener } from '../../../shared/messages/channels/config/channel-secrets.ts'
import { prepareIntent } from '../../../shared/messages/deliveries/expand/write-intent.ts'
import type { IncomingMessage } from '../../../shared/messages/incoming-messages/message.ts'
import { botFileAddresses } from '../../../shared/messages/messenger/bot-api.ts'
import { botFileLimits } from '../../../shared/messages/messenger/incoming/files-of-update.ts'
import {
  type PreparedMessage,
  prepareMessengerMessage,
  type PreparingDependencies,
} from '../../../shared/messages/messenger/incoming/prepare-message.ts'
import { createFetchPublic } from '../../../shared/platform/net/guarded-request.ts'
import { config } from '../platform/config.ts'
import { lazyObjects } from '../platform/lazy-objects.ts'
import { secretBox } from '../platform/secrets.ts'
import { store } from '../platform/store.ts'
import { callBot } from './bot-api.ts'

const { LOOPBACK_TARGETS, MESSENGER_API_BASE } = environment()

const dependencies: PreparingDependencies = {
  store,
  clock,
  config,
  callBot,
  openChannel: channelOpener(secretBox, clock),
  fileAddress: botFileAddresses(MESSENGER_API_BASE),
  fetchPublic: createFetchPublic({
    ...botFileLimits,
    loopbackAllowed: LOOPBACK_TARGETS === 'allowed',
    plainAllowed: true,
  }),
  ...lazyObjects,
  prepareReply: (tenant, channel, chatId, text) =>
    prepareIntent(clock, tenant, {
      channel,
      recipients: [chatId],
      content: { body: text },
      source: { model: null, record_id: null },
    }).write,
}

/** Does what the messenger demands of a message before its rules run. */
export const prepareMessage = (tenant: Tenant, message: IncomingMessage): Promise<PreparedMessage> =>
  prepareMessengerMessage(dependencies, tenant, message)

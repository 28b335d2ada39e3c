import { findUser } from '../../../shared/accounts/people/user.ts'
import { viewerOfUser } from '../../../shared/accounts/sessions/authentication.ts'
import { mayOnTable, permittedFields } from '../../../shared/kernel/permissions.ts'
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
import type { DescribeNoticedRecord } from '../../../shared/messages/notifications/notice-mail.ts'
import { createFetchPublic } from '../../../shared/platform/net/guarded-request.ts'
import { recordKey } from '../../../shared/platform/store/keys/records.ts'
import { readLivingRecord } from '../../../shared/platform/store/rows/record-row.ts'
import { config } from '../platform/config.ts'
import { lazyObjects } from '../platform/lazy-objects.ts'
import { secretBox } from '../platform/secrets.ts'
import { store } from '../platform/store.ts'
import { rowAccess } from '../records/row-access.ts'
import { tables } from '../tables/tables.ts'
import { callBot } from './bot-api.ts'
import { recordUrl } from './record-links.ts'

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

/**
 * The record of a notice as the notified person may know it: nothing for who may not read it, no title where field rules
 * hide it.
 */
export const describeNoticedRecord: DescribeNoticedRecord = async (tenant, { userId, model, id }) => {
  const [table, user] = await Promise.all([tables.find(tenant, model), findUser(store, tenant, userId)])
  if (!table || !user) return undefined
  const viewer = await viewerOfUser(config, tenant, user)
  const item = mayOnTable(viewer, model, 'read') ? await store.get(tenant, recordKey(tenant, model, id)) : undefined
  const record = readLivingRecord(item, table)
  if (!item || !record) return undefined
  const [permitted] = await rowAccess.permitted(viewer, model, 'read', [item])
  if (!permitted) return undefined
  const readable = permittedFields(viewer, model, 'read')
  const { title_field: titleField, label } = table
  const title = titleField !== null && (readable?.has(titleField) ?? true) ? record.data[titleField] : undefined
  return { id, label, title: typeof title === 'string' ? title : '', url: recordUrl(tenant, { model, id }) }
}

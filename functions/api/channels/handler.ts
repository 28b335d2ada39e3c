import { fillSnippet } from '../../../shared/automation/replies/fill-snippet.ts'
import { replyOptions } from '../../../shared/automation/replies/reply-options.ts'
import { fillTemplate } from '../../../shared/automation/replies/reply-templates.ts'
import { clock } from '../../../shared/kernel/time/clock.ts'
import { channelObjects } from '../../../shared/messages/channels/administer-channels.ts'
import { channelOpener } from '../../../shared/messages/channels/config/channel-secrets.ts'
import { listChannels } from '../../../shared/messages/channels/list-channels.ts'
import { changeDeliveries } from '../../../shared/messages/deliveries/administer/change-many.ts'
import { listDeliveries } from '../../../shared/messages/deliveries/administer/list-deliveries.ts'
import {
  cancelDelivery,
  getDelivery,
  retryDelivery,
  retryReply,
} from '../../../shared/messages/deliveries/administer/operate-deliveries.ts'
import { botNames } from '../../../shared/messages/messenger/bot-name.ts'
import { changeAnyChannel, removeAnyChannel } from '../../../shared/messages/messenger/incoming/change-bot-channel.ts'
import { checkBot } from '../../../shared/messages/messenger/incoming/check-bot.ts'
import { setWebhook } from '../../../shared/messages/messenger/incoming/set-webhook.ts'
import { askForLink, unlinkUser } from '../../../shared/messages/messenger/link-chat.ts'
import { listTemplates } from '../../../shared/messages/notification-templates/list-templates.ts'
import { notificationTemplates } from '../../../shared/messages/notification-templates/notification-templates.ts'
import { renderTemplate } from '../../../shared/messages/notification-templates/render-template.ts'
import { sendTestMail, testChannel } from '../../../shared/messages/senders/test-channel.ts'
import { implementObject } from '../../../shared/platform/configured-objects/implement-object.ts'
import { endpointGroup } from '../../../shared/platform/http/routing/endpoint-group.ts'
import { Accepted, publicUrl } from '../../../shared/platform/http/routing/envelope.ts'
import { implement } from '../../../shared/platform/http/routing/implement.ts'
import { implementVerbs } from '../../../shared/platform/http/routing/verb-routes.ts'
import { sampleRecordToken } from '../../../shared/platform/mail/record-thread.ts'
import { readTimeZone } from '../../../shared/platform/settings/read-settings.ts'
import { recordKey } from '../../../shared/platform/store/keys/records.ts'
import type { Item } from '../../../shared/platform/store/values/marshal.ts'
import { authenticate } from '../../wiring/authenticate.ts'
import { jobs } from '../../wiring/jobs.ts'
import { attemptsWith } from '../../wiring/messages/attempts-with.ts'
import { callBot } from '../../wiring/messages/bot-api.ts'
import { contents } from '../../wiring/messages/contents.ts'
import { loadSender } from '../../wiring/messages/load-sender.ts'
import { messengerWebhookUrl } from '../../wiring/messages/messenger-webhook-url.ts'
import { recordUrl } from '../../wiring/messages/record-links.ts'
import { wakeDeliveries } from '../../wiring/messages/wake-deliveries.ts'
import { config } from '../../wiring/platform/config.ts'
import { secretBox as secrets } from '../../wiring/platform/secrets.ts'
import { store } from '../../wiring/platform/store.ts'
import { replies } from '../../wiring/records/replies.ts'
import { rowAccess } from '../../wiring/records/row-access.ts'
import { tables } from '../../wiring/tables/tables.ts'
import * as channel from './channel-routes.ts'
import * as delivery from './delivery-routes.ts'
import * as link from './messenger-routes.ts'
import * as template from './notification-template-routes.ts'
import * as reply from './reply-routes.ts'
import { testMail } from './test-mail-routes.ts'

const channels = { store, config, clock, secrets }
const deliveries = { store, clock, wake: wakeDeliveries, ...contents }
const templates = { store, config, clock }
const openChannel = channelOpener(secrets, clock)
const bots = { ...channels, openChannel, callBot }
const tests = { clock, openChannel, loadSender }
const links = { store, clock, botName: botNames({ config, clock, openChannel, callBot }) }

export const handler = endpointGroup({ authenticate }, [
  ...implementObject(
    channel.channelObjectRoutes,
    { ...channelObjects, list: listChannels, change: changeAnyChannel, remove: removeAnyChannel },
    bots,
  ),
  implement(channel.testChannel, async ({ caller, params, body }) => {
    const found = await channelObjects.find(channels, caller.tenant, params.id)
    return found.direction === 'incoming'
      ? checkBot(bots, caller.tenant, found)
      : testChannel(tests, caller.tenant, found, body?.to)
  }),
  implement(link.setWebhook, ({ caller, body }) =>
    setWebhook({ ...bots, webhookUrl: messengerWebhookUrl() }, caller, body?.channel_id),
  ),
  implement(link.linkMessenger, ({ caller }) => askForLink(links, caller)),
  implement(link.unlinkMessenger, ({ caller }) => unlinkUser(links, caller.tenant, caller.userId)),
  implement(testMail, async ({ caller, body }) =>
    sendTestMail(attemptsWith(await loadSender('email')), caller, body.to),
  ),
  implement(delivery.listDeliveries, ({ caller, query }) => listDeliveries(deliveries, caller.tenant, query)),
  implement(delivery.getDelivery, ({ caller, params }) => getDelivery(deliveries, caller.tenant, params.id)),
  ...implementVerbs(delivery.deliveryVerbs, deliveries, {
    retry: (services, { tenant }, id) => retryDelivery(services, tenant, id),
    cancel: (services, { tenant }, id) => cancelDelivery(services, tenant, id),
  }),
  implement(reply.getReplyOptions, ({ caller, params }) => replyOptions(replies, caller, params)),
  implement(reply.getFilledTemplate, ({ caller, params: { model, id, template_id: templateId } }) =>
    fillTemplate({ ...replies, recordUrl }, caller, { model, id }, templateId),
  ),
  implement(reply.getFilledSnippet, ({ caller, params: { model, id, snippet_id: snippetId } }) =>
    fillSnippet({ ...replies, recordUrl }, caller, { model, id }, snippetId),
  ),
  implement(
    reply.retryReply,
    async ({ caller, params, preloaded }) => {
      const { model, id, delivery_id: deliveryId } = params
      await tables.require(caller.tenant, model)
      const row = preloaded.get(recordKey(caller.tenant, model, id)) as Item | null | undefined
      await rowAccess.require(caller, model, id, 'update', row)
      return retryReply(deliveries, caller.tenant, { model, id }, deliveryId)
    },
    (tenant, { model, id }) => [recordKey(tenant, model, id)],
  ),
  implement(
    delivery.retryDeliveries,
    async ({ caller, body }) => new Accepted(await changeDeliveries({ jobs }, caller, 'retry', body)),
  ),
  implement(
    delivery.cancelDeliveries,
    async ({ caller, body }) => new Accepted(await changeDeliveries({ jobs }, caller, 'cancel', body)),
  ),
  ...implementObject(template.templateObjectRoutes, { ...notificationTemplates, list: listTemplates }, templates),
  implement(template.previewTemplate, async ({ caller, params, body }) =>
    renderTemplate(
      await notificationTemplates.require(templates, caller.tenant, params.id),
      { record_token: sampleRecordToken, follow_url: `${publicUrl()}/follow/sample`, ...body?.params },
      body?.locale ?? null,
      await readTimeZone(config, caller.tenant),
    ),
  ),
])

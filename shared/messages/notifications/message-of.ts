import { publicTable } from '../../kernel/table-names.ts'
import type { Tenant } from '../../kernel/tenancy.ts'
import { escapeHtml } from '../../kernel/text/escape-html.ts'
import type { NotificationIntent, NotificationMethod } from '../../scripts/api/notification-intent.ts'
import type { NotificationSource } from '../../scripts/api/notification-port.ts'
import { type ChannelType, channelTypeOf, channelTypes, publishedTypes } from '../channels/channel-types.ts'
import type { Channel } from '../channels/channel.ts'
import { userRecipient } from '../deliveries/expand/recipient.ts'
import type { IntentContent } from '../deliveries/rows/intent-content.ts'
import { usesPlaceholder } from '../notification-templates/placeholders.ts'
import { templateRecord } from '../notification-templates/template.ts'
import type { TemplateContent } from '../notification-templates/translation.ts'

type ToChannel = Exclude<NotificationIntent, { method: 'sendPushNotification' }>
/** Finds a template of notifications by its code. */
export type FindTemplate = (tenant: Tenant, code: string) => Promise<TemplateContent | undefined>

/** The types of channels that a method sends through. A reply goes where `replyChannel` says. */
export const typesOf: Readonly<
  Record<Exclude<NotificationMethod, 'sendPushNotification' | 'replyMessenger'>, readonly ChannelType[]>
> = {
  sendMessenger: ['messenger'],
  sendEmail: ['email'],
  sendSms: ['sms'],
  sendWebhook: ['webhook'],
  publish: publishedTypes,
  sendToChannel: channelTypes,
}

type Message =
  | { readonly recipients: readonly string[]; readonly content: IntentContent; readonly problem?: never }
  | { readonly problem: string }

/** What a method sends to whom, through a channel of one of its types; or why nothing can be sent. */
export async function messageOf(
  findTemplate: FindTemplate,
  intent: ToChannel,
  source: NotificationSource,
  channel: Channel,
): Promise<Message> {
  const event = `${publicTable(source.tenant, source.model)}.${source.hook ?? 'process'}`
  switch (intent.method) {
    case 'sendMessenger':
      return { recipients: intent.user_ids.map(userRecipient), content: { body: intent.text } }
    case 'replyMessenger':
      return { recipients: [intent.chat_id], content: { body: intent.text } }
    case 'sendSms':
      return { recipients: intent.numbers, content: { body: intent.text } }
    case 'sendEmail': {
      const found = await findTemplate(source.tenant, intent.template)
      if (!found)
        return { problem: `there is no notification template ${JSON.stringify(intent.template)}; nothing was sent.` }
      const { subject, body, translations } = found
      const template = { subject, body, translations }
      return {
        recipients: [intent.to],
        content: { body: '', template, params: paramsOf(intent.params, source, found) },
      }
    }
    case 'sendWebhook':
      return { recipients: [placeOf(channel)], content: { event, body: JSON.stringify(intent.payload) } }
    case 'publish':
      return {
        recipients: [placeOf(channel)],
        content: { event, body: JSON.stringify(intent.payload), ...(intent.key && { key: intent.key }) },
      }
    case 'sendToChannel':
      return toChannel(intent.message, event, channel)
  }
}

/** What a template gets: the parameters of the call, and beside them the record and who acts where it names them. */
function paramsOf(
  given: Readonly<Record<string, unknown>> | null | undefined,
  { record, user }: Pick<NotificationSource, 'record' | 'user'>,
  template: TemplateContent,
): Readonly<Record<string, unknown>> {
  return {
    ...(record && usesPlaceholder(template, 'record') && { record: templateRecord(record) }),
    ...(user && usesPlaceholder(template, 'user') && { user: { id: user.id, name: user.name, email: user.email } }),
    ...given,
  }
}

/** Addresses are used as they are. A channel that is a place of its own gets the whole message as its payload. */
function toChannel(
  message: { readonly recipients: readonly string[]; readonly body: string },
  event: string,
  channel: Channel,
): Message {
  const { recipients, body } = message
  switch (channelTypeOf(channel.type).content) {
    case 'text':
      return { recipients, content: { body } }
    case 'mail':
      return { recipients, content: mailOf(body) }
    case 'json':
      return { recipients: [placeOf(channel)], content: { event, body: JSON.stringify(message) } }
  }
}

const subjectCharacters = 100

/** A mail of a body without a subject: the first line of its text. A body without tags is plain text. */
export function mailOf(body: string): IntentContent {
  const isHtml = /<[a-z][^<>]*>/i.test(body)
  const text = isHtml ? body.replaceAll(/<[^<>]*>/g, ' ') : body
  const [line = ''] = text.split('\n').flatMap((one) => one.replaceAll(/\s+/g, ' ').trim() || [])
  const subject = line.length > subjectCharacters ? `${line.slice(0, subjectCharacters - 1).toWellFormed()}…` : line
  return isHtml ? { subject, body } : plainMail(body, subject)
}

/** A mail of plain text. */
export const plainMail = (text: string, subject: string): IntentContent => ({
  subject,
  body: `<pre dir="auto" style="font: inherit; white-space: pre-wrap; unicode-bidi: plaintext">${escapeHtml(text)}</pre>`,
  text,
})

/** Whom a delivery shows as its recipient when the channel itself is the receiver. */
export const placeOf = ({ type, config }: Channel): string => channelTypeOf(type).placeOf?.(config) ?? ''

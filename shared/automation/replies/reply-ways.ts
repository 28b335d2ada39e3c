import type { Viewer } from '../../kernel/principal.ts'
import type { Tenant } from '../../kernel/tenancy.ts'
import type { Channel } from '../../messages/channels/channel.ts'
import { resolveChannel, resolveReplyChannel } from '../../messages/channels/resolve-channel.ts'
import type { MessageHead } from '../../messages/incoming-messages/message.ts'
import { byHandId } from '../../messages/incoming-messages/message.ts'
import { rulesOf } from '../incoming-actions/incoming-action.ts'
import { actionsOfMailboxes } from '../incoming-actions/run/rule-of-mailbox.ts'
import { answerSender } from './answer-sender.ts'
import { isOfPerson, type MailConversation, readConversations, readMailConversations } from './conversations.ts'
import type { RecordRef, ReplyDependencies } from './dependencies.ts'
import { type ForwardConversation, readForwards } from './forwards.ts'
import { mailThatMade } from './record-mails.ts'

/** How a reply reaches somebody. */
export interface ReplyWay {
  readonly channel: Pick<Channel, 'id' | 'type' | 'config'>
  /** Of a mail: the address that it leaves from. */
  readonly from?: string
  /** An address, or the id of a chat. */
  readonly recipient: string
  readonly name: string | null
  /** The record whose conversation it is: the one that is answered, or one that was merged into it. */
  readonly conversation: number
  /** Whether other customers have theirs about the same record. */
  readonly isOneOfMany: boolean
  /** Of a mail: the one that it answers. */
  readonly mail?: MessageHead
  /** Of a mail in the conversation of a forward: what that is called. */
  readonly subject?: string
}

/** Why a reply cannot be sent; `isSilent`: nobody is meant to get one. */
export interface NoWay {
  readonly problem: string
  readonly isSilent?: true
}

/** The way of a public comment that does not say how it is sent: where the rule that made the record sends comments, or
 * a rule of its table where a person made it of a mail; mailboxes that make records there send them, too. */
export async function defaultWay(
  services: ReplyDependencies,
  viewer: Viewer,
  record: RecordRef,
): Promise<ReplyWay | NoWay> {
  const { store, config } = services
  const { tenant } = viewer
  const rules = (await rulesOf(config, tenant)).filter(
    ({ sendComments, targetModel }) => sendComments && targetModel === record.model,
  )
  const makers = [...rules.map(({ id }) => id), ...(await actionsOfMailboxes(config, tenant, record.model))]
  if (makers.length === 0) return nobody
  const way = await mailWay(services, viewer, record)
  if ('problem' in way) return way.isUnreached ? nobody : way
  const made = { model: record.model, id: way.conversation }
  const mail = await mailThatMade(store, tenant, made, new Set([byHandId, ...makers]))
  return isOfPerson(mail) && way.mail ? way : nobody
}

const nobody: NoWay = { problem: 'No rule sends comments on this record.', isSilent: true }

/** `isUnreached`: there is nobody whom a mail would reach. */
interface NoMailWay extends NoWay {
  readonly isUnreached?: true
}

/**
 * How a mail reaches the customer of a conversation about a record: the Reply-To, else the sender, of their latest mail;
 * else who sent the record in the portal, or whose address its fields name.
 */
export async function mailWay(
  services: ReplyDependencies,
  viewer: Viewer,
  record: RecordRef,
  conversation?: number,
): Promise<ReplyWay | NoMailWay> {
  if (conversation !== undefined && conversation < 0) {
    const [forward] = await readForwards(services, viewer, record, conversation)
    if (!forward) return { problem: `There is no forward ${-conversation} of the record that you may answer in.` }
    return forwardedWay(services, viewer, record, forward)
  }
  const { all, byDefault } = await readMailConversations(services, viewer, record)
  const chosen = conversation === undefined ? byDefault : all.find(({ id }) => id === conversation)
  if (chosen) return wayOf(services, viewer.tenant, chosen, all.length > 1)
  return {
    isUnreached: true,
    problem:
      conversation === undefined
        ? 'Nobody is known here whom a mail would reach: no mail made or answers the record, and no field has an address.'
        : `The record has no conversation ${conversation} whose customer a mail would reach. ${idsOf(all)}`,
  }
}

const idsOf = (all: readonly MailConversation[]): string =>
  all.length === 0 ? 'It has none.' : `It has: ${all.map(({ id }) => id).join(', ')}.`

/** How a mail reaches somebody to whom messages are forwarded: until they answer, it leaves as answers to the customer do. */
export async function forwardedWay(
  services: ReplyDependencies,
  viewer: Viewer,
  record: RecordRef,
  { subject, ...forward }: ForwardConversation,
): Promise<ReplyWay | NoWay> {
  const { tenant } = viewer
  const asked = forward.mail ?? (await readMailConversations(services, viewer, record)).byDefault?.mail
  const sender = await answerSender(services, tenant, asked)
  if ('problem' in sender) return sender
  const { channel, from } = sender
  const { id: conversation, address: recipient, name, mail } = forward
  return {
    channel,
    from,
    recipient,
    name,
    conversation,
    isOneOfMany: false,
    ...(mail && { mail }),
    ...(subject !== '' && { subject }),
  }
}

/** How a mail reaches the customer of a conversation. */
export async function wayOf(
  { store, config }: Pick<ReplyDependencies, 'store' | 'config'>,
  tenant: Tenant,
  { id, address, name, mail }: MailConversation,
  isOneOfMany: boolean,
): Promise<ReplyWay | NoWay> {
  const sender = await answerSender({ store, config }, tenant, mail)
  if ('problem' in sender) return sender
  const { channel, from } = sender
  return { channel, from, recipient: address, name, conversation: id, isOneOfMany, ...(mail && { mail }) }
}

/** How a chat message reaches whoever wrote to a bot about a record, in one of its conversations. */
export async function chatWay(
  { store, config }: ReplyDependencies,
  { tenant }: Viewer,
  record: RecordRef,
  conversation?: number,
): Promise<ReplyWay | NoWay> {
  const all = await readConversations({ store }, tenant, record)
  const chosen = all.filter(({ id }) => conversation === undefined || id === conversation)
  const messages = chosen.flatMap((one) => one.messages.map((message) => ({ message, id: one.id })))
  const chats = messages.filter(({ message: { channel, fromId } }) => channel === 'messenger' && fromId !== null)
  // What arrived at the record itself comes before what was merged into it.
  const arrived = chats.filter(({ message, id }) => id === record.id || message.replyTo?.id === record.id)
  const [found] = (arrived.length > 0 ? arrived : chats).toSorted((a, b) => b.message.id - a.message.id)
  if (!found || found.message.fromId === null)
    return { problem: 'Nobody is known here whom a chat message would reach: nobody wrote about the record in a chat.' }
  const { fromId: recipient, fromName: name, channelId } = found.message
  const own = channelId === null ? undefined : await resolveReplyChannel({ config }, tenant, channelId)
  const resolved = own && 'channel' in own ? own : await resolveChannel({ config }, tenant, ['messenger'], null)
  return 'problem' in resolved
    ? resolved
    : { channel: resolved.channel, recipient, name, conversation: found.id, isOneOfMany: all.length > 1 }
}

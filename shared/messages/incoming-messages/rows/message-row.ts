import type { TenantRef } from '../../../kernel/tenancy.ts'
import type { Key } from '../../../platform/store/keys/key.ts'
import {
  messageKey,
  messagePartitionOf,
  messageSort,
  waitingMessagesPartition,
  waitingMessageSort,
} from '../../../platform/store/keys/messages/incoming.ts'
import { messageSlots, slotEntry } from '../../../platform/store/slots.ts'
import { readJson } from '../../../platform/store/values/json-attribute.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import {
  type IncomingChannel,
  isProcessed,
  type MailAddresses,
  type MessageHead,
  type RecordRef,
  type RuleOutcome,
} from '../message.ts'

/** What somebody's messages are listed by: an address in lower case, or a chat. */
export const senderOf = ({ fromEmail, fromId }: Pick<MessageHead, 'fromEmail' | 'fromId'>): string | undefined =>
  fromEmail?.toLowerCase() ?? (fromId === null ? undefined : `chat ${fromId}`)

/** The row of a message. The feed takes it to the rules when it is stored, and with each further `round`. */
export function messageItem(tenant: TenantRef, message: MessageHead): Item & Key {
  const { id, channel, conversation, position, isWaiting, replyTo } = message
  const sort = messageSort(id)
  const sender = senderOf(message)
  return {
    ...messageKey(tenant, id),
    kind: 'incoming_message',
    v: 1,
    // The feed takes it to the rules while it waits, and to the index of what was said once they dealt with it.
    feed: isWaiting ? 'message' : 'dealt_message',
    tenant_id: tenant.id,
    id,
    channel,
    channel_id: message.channelId,
    ...(message.mailboxId && { mailbox_id: message.mailboxId }),
    from_name: message.fromName,
    from_email: message.fromEmail,
    from_id: message.fromId,
    subject: message.subject,
    ...(message.mailId !== undefined && { mail_id: message.mailId }),
    ...(replyTo && { reply_model: replyTo.model, reply_id: replyTo.id }),
    ...(message.replyThrough !== undefined && { reply_through: message.replyThrough }),
    ...(message.isSplit && { split: true }),
    ...(message.answers !== undefined && { answers: message.answers }),
    ...(message.userId !== undefined && { user_id: message.userId }),
    ...(message.auto !== undefined && { auto: message.auto }),
    ...(message.isQuiet && { quiet: true }),
    ...(message.isInternal && { internal: true }),
    ...(message.forward !== undefined && { forward: message.forward }),
    ...(message.addresses && { addresses: JSON.stringify(message.addresses) }),
    received_at_ms: message.receivedAtMs,
    conversation,
    position,
    ...(isWaiting && { waiting: true }),
    waiting_since_ms: message.waitingSinceMs,
    ...(message.round > 0 && { round: message.round }),
    ...(isWaiting && message.isGivenUp && { given_up: true }),
    outcomes: JSON.stringify(message.outcomes),
    rev: message.rev,
    ...slotEntry(messageSlots.byState, messagePartitionOf(tenant, { isProcessed: isProcessed(message) }, id), sort),
    ...slotEntry(messageSlots.byChannel, messagePartitionOf(tenant, { channel }, id), sort),
    ...(sender !== undefined && slotEntry(messageSlots.bySender, messagePartitionOf(tenant, { sender }, id), sort)),
    ...(isWaiting &&
      !message.isGivenUp &&
      slotEntry(
        messageSlots.waiting,
        waitingMessagesPartition(tenant, conversation),
        waitingMessageSort(position, id),
      )),
  }
}

const textOrNull = (value: Item[string]): string | null => (typeof value === 'string' ? value : null)

/** Reads the row of a message. */
export const readMessageHead = (item: Item): MessageHead => ({
  id: Number(item.id),
  channel: item.channel as IncomingChannel,
  channelId: typeof item.channel_id === 'number' ? item.channel_id : null,
  ...(item.mailbox_id !== undefined && { mailboxId: Number(item.mailbox_id) }),
  fromName: textOrNull(item.from_name),
  fromEmail: textOrNull(item.from_email),
  fromId: textOrNull(item.from_id),
  subject: textOrNull(item.subject),
  ...(item.mail_id !== undefined && { mailId: String(item.mail_id) }),
  ...(item.reply_model !== undefined && { replyTo: replyTo(item) }),
  ...(item.reply_through !== undefined && { replyThrough: Number(item.reply_through) }),
  ...(item.split === true && { isSplit: true as const }),
  ...(item.answers !== undefined && { answers: Number(item.answers) }),
  ...(item.user_id !== undefined && { userId: Number(item.user_id) }),
  // Mails of lists were taken for those of programs.
  ...(item.auto !== undefined && item.auto !== 'list' && { auto: String(item.auto) }),
  ...((item.quiet === true || item.auto === 'list') && { isQuiet: true as const }),
  ...(item.internal === true && { isInternal: true as const }),
  ...(item.forward !== undefined && { forward: Number(item.forward) }),
  ...(item.addresses !== undefined && { addresses: readJson<MailAddresses>(item, 'addresses') }),
  receivedAtMs: Number(item.received_at_ms),
  conversation: String(item.conversation),
  position: Number(item.position),
  isWaiting: item.waiting === true,
  waitingSinceMs: Number(item.waiting_since_ms ?? item.received_at_ms),
  round: Number(item.round ?? 0),
  isGivenUp: item.given_up === true,
  outcomes: readJson<RuleOutcome[]>(item, 'outcomes'),
  rev: Number(item.rev),
})

const replyTo = (item: Item): RecordRef => ({ model: String(item.reply_model), id: Number(item.reply_id) })

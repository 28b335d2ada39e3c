import { isoTime } from '../../kernel/time/clock.ts'
import { type IncomingMessage, isProcessed, mailboxOf, newTextOf } from './message.ts'
import type { MessageAnswer } from './schema.ts'

/** A message in an answer, and as scripts see it in `$incoming`. */
export const describeMessage = (message: IncomingMessage): MessageAnswer => ({
  id: message.id,
  channel: message.channel,
  channel_id: message.channelId,
  mailbox_id: mailboxOf(message),
  from_name: message.fromName,
  from_email: message.fromEmail,
  from_id: message.fromId,
  subject: message.subject,
  body: message.body,
  ...(message.channel === 'email' && { body_new: newTextOf(message) }),
  ...(message.isInternal && { is_internal: true as const }),
  payload: { ...message.payload },
  attachments: [...message.attachments],
  is_processed: isProcessed(message),
  is_waiting: message.isWaiting,
  records: message.outcomes.flatMap(({ record, actionId }) => (record ? [{ ...record, action_id: actionId }] : [])),
  reply_to: message.replyTo ?? null,
  errors: message.outcomes.flatMap(({ kind, actionId, action, message: text = '', line = null, column = null, at }) =>
    kind === 'failed' ? [{ action_id: actionId, action, message: text, line, column, at }] : [],
  ),
  received_at: isoTime(message.receivedAtMs),
})

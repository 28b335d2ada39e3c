import { isoTime } from '../../../../kernel/time/clock.ts'
import { mailAddressesOf } from '../../../incoming-messages/mail-addresses.ts'
import type { Attachment, NewMessage } from '../../../incoming-messages/message.ts'
import type { Thread } from '../find-thread.ts'
import type { Forwarding } from '../forwarded-mail.ts'
import type { ParsedMail } from './parsed-mail.ts'

/** How much later than its arrival a mail may say that it was sent: clocks differ, and zones are mistaken. */
const futureMs = 24 * 60 * 60_000

/** What is known of a mail besides what it says. `userId`: who sent it, when that is proved; `bodyNew`: what is new in it. */
interface Known {
  readonly thread?: Thread
  readonly isOwn?: true
  readonly userId: number | undefined
  readonly bodyNew: string
}

/** A mail as an incoming message; `receivedAtMs`: when the mailbox got it. */
export function messageOfMail(
  mail: ParsedMail & { readonly forwarded?: Forwarding },
  attachments: readonly Attachment[],
  known: Known,
  receivedAtMs: number,
): NewMessage {
  const { thread, userId, bodyNew } = known
  const { from, subject, messageId: mailId, body } = mail
  const auto = known.isOwn ? 'own' : mail.auto
  return {
    channel: 'email',
    channelId: null,
    fromName: from?.name ?? null,
    fromEmail: from?.email ?? null,
    fromId: null,
    subject,
    ...(mailId !== null && { mailId }),
    body,
    bodyNew,
    payload: payloadOf(mail, attachments, known, receivedAtMs),
    attachments,
    ...(thread?.replyTo && { replyTo: thread.replyTo }),
    ...(thread?.isInternal && { isInternal: true as const }),
    ...(thread?.forward !== undefined && { forward: thread.forward }),
    ...(thread?.replyThrough !== undefined && { replyThrough: thread.replyThrough }),
    ...(userId !== undefined && { userId }),
    ...(auto !== null && { auto }),
    ...((mail.isQuiet || known.isOwn) && { isQuiet: true as const }),
    addresses: mailAddressesOf(mail),
    ...(from?.email && { conversation: from.email }),
    receivedAtMs,
  }
}

function payloadOf(
  mail: ParsedMail & { readonly forwarded?: Forwarding },
  attachments: readonly Attachment[],
  { thread, userId, isOwn }: Known,
  receivedAtMs: number,
): Record<string, unknown> {
  const isFuture = mail.date !== null && mail.date > isoTime(receivedAtMs + futureMs)
  const { bounce } = mail
  return {
    message_id: mail.messageId,
    in_reply_to: mail.inReplyTo,
    references: mail.references,
    to: mail.to,
    cc: mail.cc,
    reply_to_address: mail.replyTo[0]?.email ?? null,
    date: isFuture ? null : mail.date,
    headers: mail.headers,
    html: mail.html,
    attachments,
    auto: isOwn ? 'own' : mail.auto,
    ...(bounce && {
      bounce: { action: bounce.action, recipient: bounce.recipient, status: bounce.status, reason: bounce.reason },
    }),
    ...(thread?.userId !== undefined && { reply_user_id: thread.userId }),
    ...(userId !== undefined && { sender_user_id: userId }),
    ...(mail.forwarded && { forwarded: mail.forwarded }),
    ...(mail.invitation && { invitation: mail.invitation }),
    ...(mail.protection && { protection: mail.protection }),
    ...(mail.truncated.length > 0 && { truncated: mail.truncated }),
    ...(mail.parseError !== null && { parse_error: mail.parseError }),
  }
}

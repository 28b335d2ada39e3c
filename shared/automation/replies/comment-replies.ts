import { namesOf } from '../../accounts/people/user.ts'
import { Invalid } from '../../kernel/failures/faults.ts'
import { log } from '../../kernel/runtime/log.ts'
import { prepareIntent } from '../../messages/deliveries/expand/write-intent.ts'
import { findMessageHead } from '../../messages/incoming-messages/find-message.ts'
import { withNumber } from '../../platform/mail/subject-number.ts'
import { storedSettings } from '../../platform/settings/read-settings.ts'
import type { SendReplies } from '../../records/comments/dependencies.ts'
import { withNames } from '../../records/comments/write/mentions.ts'
import { createRecordReads } from '../../records/records/read/record-reads.ts'
import { readOwnAddresses } from './answer-address.ts'
import type { ReplyDependencies } from './dependencies.ts'
import { chatWay, defaultWay, forwardedWay, mailWay, type ReplyWay } from './reply-ways.ts'
import { writeReply } from './write-reply.ts'

/**
 * Sends the public comments of users to the customer of one conversation about the record, in the transaction of the
 * comment: as its author says, else where the rule that made the record says so. Programs are not answered, and nobody gets
 * back what they sent themselves. Throws Invalid where the author says how and nobody would be reached.
 */
export const commentReplies =
  (services: ReplyDependencies): SendReplies =>
  async (author, comment, { send, subject, conversation, forwarding }) => {
    const { store, clock } = services
    const { tenant, userId, impersonatorId, name } = author
    const { model, recordId } = comment
    if (userId === 0 || send === 'none') return unsent
    const record = { model, id: recordId }
    const ways = {
      email: () =>
        forwarding
          ? forwardedWay(services, author, record, {
              id: -comment.id,
              address: forwarding.to,
              name: null,
              copies: [],
              subject: '',
            })
          : mailWay(services, author, record, conversation),
      messenger: () => chatWay(services, author, record, conversation),
    }
    const way = await (send === undefined ? defaultWay(services, author, record) : ways[send]())
    if ('problem' in way) {
      if (send !== undefined)
        throw new Invalid({
          [forwarding ? 'to' : conversation === undefined ? 'send' : 'conversation']: [sentence(way.problem)],
        })
      if (!way.isSilent) log.warn('a comment cannot be sent as a mail', { tenant_id: tenant.id, problem: way.problem })
      return unsent
    }
    if (comment.messageId !== undefined && (await isOwnMessage(comment.messageId, way)))
      return { ...unsent, isOfCustomer: true }
    await requireOthers(comment.cc ?? [])
    const names = await namesOf(store, tenant, [userId, ...comment.mentions])
    const called = await numbered(subject ?? (await subjectOf(way)), way)
    const content = await writeReply(services, tenant, way, {
      commentId: comment.id,
      body: withNames(comment.body, names),
      files: comment.attachments,
      author: names.get(userId) ?? name,
      subject: called,
      cc: comment.cc ?? [],
      ...(forwarding && { forwards: forwarding.messages }),
    })
    // A mail to somebody else outside is no word to the customer: its answer is for the team alone.
    const forward = way.conversation < 0 ? -way.conversation : undefined
    const { write } = prepareIntent(clock, tenant, {
      channel: way.channel,
      recipients: [way.recipient],
      content,
      isOnly: true,
      source: {
        model,
        record_id: recordId,
        user_id: userId,
        ...(impersonatorId !== undefined && { impersonator_id: impersonatorId }),
        comment_id: comment.id,
        ...(forward !== undefined && { is_internal: true, forward_id: forward }),
        ...(forward === undefined && way.conversation !== recordId && { conversation_id: way.conversation }),
      },
    })
    if (forward !== undefined)
      return {
        writes: [write],
        inForward: {
          forward,
          to: way.recipient,
          ...(forwarding && { forwarded: { ...forwarding.forwarded, subject: called } }),
        },
      }
    return { writes: [write], ...(way.isOneOfMany && { conversation: way.conversation }) }

    /** The number of the record that the customer knows, where the company wants it in subjects. */
    async function numbered(text: string, { channel, conversation: id }: ReplyWay): Promise<string> {
      if (channel.type !== 'email') return text
      const form = (await storedSettings(services.config, tenant)).get('MAIL_SUBJECT_NUMBER')?.value
      return withNumber(text, typeof form === 'string' ? form : undefined, id < 0 ? recordId : id)
    }

    /** A comment that came in as a message of the same sender. */
    async function isOwnMessage(messageId: number, { recipient, mail }: ReplyWay): Promise<boolean> {
      return mail?.id === messageId || (await findMessageHead(store, tenant, messageId))?.fromEmail === recipient
    }

    /** Throws Invalid for a copy to ourselves: it would come back as a mail. */
    async function requireOthers(copies: readonly string[]): Promise<void> {
      if (copies.length === 0) return
      const isOurs = await readOwnAddresses(services.config, tenant)
      const own = copies.flatMap((address, at): [string, string[]][] =>
        isOurs(address) ? [[`cc.${at}`, [`${address} is an address of your own: leave it out.`]]] : [],
      )
      if (own.length > 0) throw new Invalid(Object.fromEntries(own))
    }

    /** An answer has the subject of its mail, or of its forward; the first mail has the title of the record. */
    async function subjectOf({ channel, mail, subject: known }: ReplyWay): Promise<string> {
      if (known !== undefined) return known
      if (channel.type !== 'email' || mail) return replySubject(mail?.subject ?? null)
      const [table, { data }] = await Promise.all([
        services.tables.require(tenant, model),
        createRecordReads(services).get(author, model, recordId),
      ])
      const title = table.title_field === null ? undefined : data[table.title_field]
      return typeof title === 'string' && title !== '' ? title : `${table.label} ${recordId}`
    }
  }

const unsent = { writes: [] }

const replySubject = (subject: string | null): string =>
  subject === null ? 'Re:' : /^re:/i.test(subject) ? subject : `Re: ${subject}`

/** Problems of channels are parts of a log line. */
const sentence = (problem: string): string =>
  `${problem.charAt(0).toUpperCase()}${problem.slice(1).replace(/; nothing was sent\.$/, '.')}`

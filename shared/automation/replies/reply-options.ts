import { maxReplyCopies } from '../../kernel/limits/comments.ts'
import { maxMailedFilesBytes } from '../../kernel/limits/files.ts'
import { permittedFields } from '../../kernel/permissions.ts'
import type { Caller } from '../../kernel/principal.ts'
import { isoTime } from '../../kernel/time/clock.ts'
import { readsAllMessages } from '../../messages/incoming-messages/find-message.ts'
import { fileLinkDays } from '../../platform/mail/file-token.ts'
import { recordKey } from '../../platform/store/keys/records.ts'
import { createRecordReads } from '../../records/records/read/record-reads.ts'
import { type MailConversation, type MailConversations, readMailConversations } from './conversations.ts'
import type { RecordRef, ReplyDependencies } from './dependencies.ts'
import { type ForwardConversation, readForwards } from './forwards.ts'
import { listReplyTemplates } from './reply-templates.ts'
import { chatWay, defaultWay, type NoWay, wayOf } from './reply-ways.ts'
import type { ReplyOptions } from './schema.ts'

/**
 * How the caller can answer whoever a record is about, and with which texts. Nobody is
 * reached by a caller who may not update the record. Throws NotFound.
 */
export async function replyOptions(
  services: ReplyDependencies,
  caller: Caller,
  record: RecordRef,
): Promise<ReplyOptions> {
  const { access, store } = services
  const { tenant } = caller
  const { model, id } = record
  const item = await store.get(tenant, recordKey(tenant, model, id))
  await createRecordReads(services).get(caller, model, id, item ?? null)
  const [mayReply] = await access.permitted(caller, model, 'update', [item])
  const [mails, forwards, messenger, byDefault, templates] = await Promise.all([
    mayReply ? readMailConversations(services, caller, record) : noConversations,
    mayReply ? readForwards(services, caller, record) : [],
    mayReply ? chatWay(services, caller, record) : notYours,
    defaultWay(services, caller, record),
    mayReply ? listReplyTemplates(services, tenant) : [],
  ])
  const email = mails.byDefault && (await wayOf(services, tenant, mails.byDefault, mails.all.length > 1))
  const isSendable = email !== undefined && !('problem' in email)
  // As in timelines: what came in by mail may repeat fields that are hidden.
  const sees = permittedFields(caller, model, 'read') === undefined || readsAllMessages(caller)
  const conversations = isSendable
    ? mails.all.map((one) => conversationOf(one, sees, one.id === email.conversation))
    : []
  const shown = conversations.find(({ is_default: isDefault }) => isDefault)
  return {
    email: shown ? { to: shown.to, name: shown.name } : null,
    messenger: 'problem' in messenger ? null : { to: null, name: sees ? messenger.name : null },
    default: 'problem' in byDefault ? 'none' : 'email',
    from: isSendable ? [email.from ?? String(email.channel.config.from_address)] : [],
    to: shown?.to ?? null,
    cc: shown?.cc ?? [],
    conversations: [...conversations, ...forwards.map((one) => conversationOf(one, sees, false))],
    files: { limit_bytes: maxMailedFilesBytes, links_days: fileLinkDays },
    templates,
  }
}

const conversationOf = (
  { id, address, name, copies, mail, subject }: MailConversation & Partial<Pick<ForwardConversation, 'subject'>>,
  sees: boolean,
  isDefault: boolean,
): ReplyOptions['conversations'][number] => ({
  id,
  kind: id < 0 ? 'forward' : 'customer',
  to: sees ? address : null,
  name: sees ? name : null,
  cc: sees ? copies.slice(0, maxReplyCopies) : [],
  subject: sees ? (mail?.subject ?? subject ?? null) : null,
  last_at: mail ? isoTime(mail.receivedAtMs) : null,
  is_default: isDefault,
})

const noConversations: MailConversations = { all: [] }
const notYours: NoWay = { problem: 'You may not update the record.' }

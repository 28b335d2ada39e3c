import { namesOf } from '../../../accounts/service.ts'
import { log } from '../../../kernel/runtime/log.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import type { Clock } from '../../../kernel/time/clock.ts'
import { resolveChannel } from '../../../messages/channels/service.ts'
import { prepareIntent } from '../../../messages/deliveries/service.ts'
import { earliestMessages, findMessageHead, type MessageHead } from '../../../messages/incoming-messages/service.ts'
import { plainMail } from '../../../messages/notifications/service.ts'
import type { Config } from '../../../platform/store/config.ts'
import { recordKey } from '../../../platform/store/keys/records.ts'
import { readMergedRecords } from '../../../platform/store/ranges/merged-records.ts'
import { readRecordHead } from '../../../platform/store/rows/record-row.ts'
import type { Store } from '../../../platform/store/store.ts'
import { type SendReplies, withAttachments, withNames } from '../../../records/comments/service.ts'
import { rulesOf } from '../incoming-action.ts'

export interface ReplyDependencies {
  readonly store: Pick<Store, 'get' | 'query' | 'getMany'>
  readonly clock: Pick<Clock, 'now' | 'uuid'>
  readonly config: Pick<Config, 'list'>
}

/** A record is made by one of the first messages that belong to it. */
const messagesRead = 20

/**
 * Sends the public comments of users to whoever sent the mail that made the record, where the rule that made it says so:
 * a mail through the default channel, in the transaction of the comment. Programs are not answered, and nobody gets back
 * what they sent themselves.
 */
export const commentReplies =
  ({ store, clock, config }: ReplyDependencies): SendReplies =>
  async ({ tenant, userId, impersonatorId, name }, comment) => {
    const { model, recordId } = comment
    if (userId === 0) return []
    const rules = (await rulesOf(config, tenant)).filter(
      ({ sendComments, targetModel }) => sendComments && targetModel === model,
    )
    if (rules.length === 0) return []
    const mail = await mailThatMade(store, tenant, { model, id: recordId }, new Set(rules.map(({ id }) => id)))
    const to = mail?.fromEmail ?? null
    if (to === null || mail?.auto !== undefined) return []
    // A comment that came in as a message of the same sender.
    if (comment.messageId !== undefined && (await findMessageHead(store, tenant, comment.messageId))?.fromEmail === to)
      return []
    const resolved = await resolveChannel({ config }, tenant, ['email'], null)
    if ('problem' in resolved) {
      log.warn('a comment cannot be sent as a mail', { tenant_id: tenant.id, problem: resolved.problem })
      return []
    }
    const names = await namesOf(store, tenant, [userId, ...comment.mentions])
    const body = withAttachments(withNames(comment.body, names), comment.attachments)
    const text = `${body}\n\n${names.get(userId) ?? name}`
    const { write } = prepareIntent(clock, tenant, {
      channel: resolved.channel,
      recipients: [to],
      content: {
        ...plainMail(text, replySubject(mail?.subject ?? null)),
        isPersonal: true,
        ...(mail?.mailId !== undefined && { inReplyTo: mail.mailId }),
      },
      source: {
        model,
        record_id: recordId,
        user_id: userId,
        ...(impersonatorId !== undefined && { impersonator_id: impersonatorId }),
      },
    })
    return [write]
  }

/** The mail that made a record; else that of a record that was merged into it, whose thread continues there. */
async function mailThatMade(
  store: ReplyDependencies['store'],
  tenant: TenantRef,
  { model, id }: { readonly model: string; readonly id: number },
  ruleIds: ReadonlySet<number>,
): Promise<MessageHead | undefined> {
  const find = async (recordId: number): Promise<MessageHead | undefined> =>
    (await earliestMessages(store, tenant, { model, id: recordId }, messagesRead)).find((message) =>
      madeRecord(message, model, recordId, ruleIds),
    )
  const own = await find(id)
  if (own) return own
  const [item] = await store.getMany(tenant, [recordKey(tenant, model, id)])
  for (const merged of await readMergedRecords(store, tenant, model, item)) {
    const found = await find(readRecordHead(merged).id)
    if (found) return found
  }
  return undefined
}

const madeRecord = (
  { channel, outcomes }: MessageHead,
  model: string,
  recordId: number,
  ruleIds: ReadonlySet<number>,
): boolean =>
  channel === 'email' &&
  outcomes.some(
    ({ kind, actionId, record }) =>
      kind === 'created' && ruleIds.has(actionId) && record?.model === model && record.id === recordId,
  )

const replySubject = (subject: string | null): string =>
  subject === null ? 'Re:' : /^re:/i.test(subject) ? subject : `Re: ${subject}`

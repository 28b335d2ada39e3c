import { userOfAddress } from '../../../accounts/people/lookup/user-of-address.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import {
  readMailId,
  readRecordToken,
  readThread,
  type ReadThread,
  type ThreadKey,
} from '../../../platform/mail/record-thread.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { Delivery } from '../../deliveries/state/delivery.ts'
import { findDelivery } from '../../deliveries/threads/find-delivery.ts'
import type { FindThreadKey } from '../../deliveries/threads/thread-key.ts'
import type { RecordRef } from '../../incoming-messages/message.ts'
import { type LivingRecord, livingRecord } from '../../incoming-messages/messages-of-record.ts'
import { answerToForward, forwardOf, type ForwardThread } from '../threads/forward-thread.ts'
import type { ParsedMail } from './parts/parsed-mail.ts'

export interface ThreadDependencies {
  readonly store: Pick<Store, 'get' | 'getMany' | 'query'>
  readonly threadKey: FindThreadKey
}

/** What a mail answers. `userId`: who sent it, when it answers a mail to the own address of this user. */
export interface Thread extends Partial<LivingRecord> {
  readonly userId?: number
  /** `false`: the mail answers another one, and refers to a mail of ours beside it. */
  readonly isDirect?: boolean
  /** It answers a notice of an internal comment, or a forward: it is for the team alone. */
  readonly isInternal?: true
  /** The comment that is the forward which it answers. */
  readonly forward?: number
}

/**
 * The record that a mail replies to, by the newest id of ours among those it refers to, else by the token in its subject.
 * Undefined when nothing in it was signed by us, or the record is gone.
 */
export async function findThread(
  threads: ThreadDependencies,
  tenant: TenantRef,
  { inReplyTo, references, subject, from }: Pick<ParsedMail, 'inReplyTo' | 'references' | 'subject' | 'from'>,
): Promise<Thread | undefined> {
  const key = await threads.threadKey(tenant)
  // A client may only set one of the two headers. The newest id is last.
  const ids = [...references, ...(inReplyTo === null ? [] : [inReplyTo])].reverse()
  const forward = await answeredForward(threads, tenant, key, ids)
  if (forward) return answerToForward(threads.store, tenant, forward, from?.email ?? null)
  const read = ids.flatMap((id) => readThread(key, tenant.id, id) ?? [])
  const named = read[0]?.record ?? readRecordToken(key, tenant.id, subject ?? '')
  const record = named && (await livingRecord(threads.store, tenant, named))
  if (!record) return named ? undefined : answerToInternal(threads, tenant, key, ids, from?.email ?? null)
  const sender = from?.email ?? null
  const delivery = sender === null ? undefined : await deliveryTo(threads, tenant, sender, read, named)
  const isToSender = delivery !== undefined && delivery?.recipient.toLowerCase() === sender
  const userId = isToSender ? await userOfAddress(threads.store, tenant, sender) : undefined
  const isDirect = ids[0] === undefined || readThread(key, tenant.id, ids[0]) !== undefined
  return {
    ...record,
    isDirect,
    // Whoever answers an answer of ours continues its conversation, whatever else they began.
    ...(delivery?.source.comment_id !== undefined && { replyThrough: named.id }),
    ...(userId !== undefined && { userId }),
  }
}

/** The forward to which the newest id of a mail of ours belongs; undefined when that is another mail. */
async function answeredForward(
  { store }: Pick<ThreadDependencies, 'store'>,
  tenant: TenantRef,
  key: ThreadKey,
  ids: readonly string[],
): Promise<ForwardThread | undefined> {
  const newest = ids.find((id) => readMailId(key, tenant.id, id) !== undefined)
  // Mails that the customer reads are signed with their record.
  if (newest === undefined || readThread(key, tenant.id, newest)) return undefined
  const delivery = await findDelivery(store, tenant, readMailId(key, tenant.id, newest) as string)
  return delivery && forwardOf(delivery)
}

/**
 * The record of whose internal comment a mail of ours told that is answered. The record is left out when somebody else answers
 * than who got it: what they quote is for nobody else.
 */
async function answerToInternal(
  { store }: Pick<ThreadDependencies, 'store'>,
  tenant: TenantRef,
  key: ThreadKey,
  ids: readonly string[],
  sender: string | null,
): Promise<Thread | undefined> {
  const newest = ids.map((id) => readMailId(key, tenant.id, id)).find((id) => id !== undefined)
  const delivery = newest === undefined ? undefined : await findDelivery(store, tenant, newest)
  const { model = null, record_id: id = null, is_internal: isInternal } = delivery?.source ?? {}
  if (!delivery || !isInternal || model === null || id === null) return undefined
  const isReader = sender !== null && delivery.recipient.toLowerCase() === sender
  const userId = isReader ? await userOfAddress(store, tenant, sender) : undefined
  const record = userId === undefined ? undefined : await livingRecord(store, tenant, { model, id })
  return { ...record, isInternal, ...(record && userId !== undefined && { userId }) }
}

/** The mail about the record that is answered, when it went to the sender, or to them as a copy. */
async function deliveryTo(
  { store }: Pick<ThreadDependencies, 'store'>,
  tenant: TenantRef,
  email: string,
  read: readonly ReadThread[],
  { model, id }: RecordRef,
): Promise<Delivery | undefined> {
  const newest = read.find(
    ({ record, messageId }) => messageId !== undefined && record.model === model && record.id === id,
  )
  if (newest?.messageId === undefined) return undefined
  const delivery = await findDelivery(store, tenant, newest.messageId)
  const isTheirs = [delivery?.recipient, ...(delivery?.cc ?? [])].some((one) => one?.toLowerCase() === email)
  return delivery?.channelType === 'email' && isTheirs ? delivery : undefined
}

import type { TenantRef } from '../../kernel/tenancy.ts'
import { messageKey, messageLinksPartition } from '../../platform/store/keys/messages/incoming.ts'
import { readSurvivor } from '../../platform/store/ranges/merged-records.ts'
import { newestRows } from '../../platform/store/ranges/newest-rows.ts'
import type { Store } from '../../platform/store/store.ts'
import { findMessageHead } from './find-message.ts'
import type { MessageHead, RecordRef } from './message.ts'
import { readMessageHead } from './rows/message-row.ts'

/** The messages that made a record or reply to it, newest first, each with its sort key, from that of `from` on. */
export async function messagesOfRecord(
  store: Pick<Store, 'query' | 'getMany'>,
  tenant: TenantRef,
  { model, id }: RecordRef,
  from: string | undefined,
  limit: number,
): Promise<{ readonly messages: readonly { sort: string; message: MessageHead }[]; readonly next?: string }> {
  const pk = messageLinksPartition(tenant, model, id)
  const { rows, ...rest } = await newestRows(store, tenant, { pk }, from, limit)
  const keys = rows.map(({ item }) => messageKey(tenant, Number(item.message_id)))
  const items = keys.length === 0 ? [] : await store.getMany(tenant, keys)
  return {
    messages: rows.flatMap(({ sort }, index) => {
      const item = items[index]
      return item ? [{ sort, message: readMessageHead(item) }] : []
    }),
    ...rest,
  }
}

/** An answer to an answer to an answer: each is looked up. Rules join the earlier ones first, so one is the rule. */
const maxAnswers = 5

/** The record that a message belongs to: that it replied to, or was made of it, or to which the one that it answers belongs. */
export async function recordOfMessage(
  store: Pick<Store, 'get'>,
  tenant: TenantRef,
  id: number,
): Promise<RecordRef | undefined> {
  let next: number | undefined = id
  for (let tries = 0; next !== undefined && tries < maxAnswers; tries += 1) {
    const head = await findMessageHead(store, tenant, next)
    const record = head && ownRecord(head)
    if (record) return record
    next = head?.answers
  }
  return undefined
}

const ownRecord = ({ replyTo, replyThrough, outcomes }: MessageHead): RecordRef | undefined =>
  (replyTo && { ...replyTo, id: replyThrough ?? replyTo.id }) ?? outcomes.find(({ kind }) => kind === 'created')?.record

/** A record that a message belongs to, and the one whose conversation it continues, when that is another, or is known. */
export interface LivingRecord {
  readonly replyTo: RecordRef
  readonly replyThrough?: number
}

/** The same for a message that is known to continue the conversation about this record. */
export async function continuedRecord(
  store: Pick<Store, 'getMany'>,
  tenant: TenantRef,
  record: RecordRef,
): Promise<LivingRecord | undefined> {
  const living = await livingRecord(store, tenant, record)
  return living && { ...living, replyThrough: record.id }
}

/** The record that a message about a record belongs to now: itself, or the one that it was merged into; undefined when it is gone. */
export async function livingRecord(
  store: Pick<Store, 'getMany'>,
  tenant: TenantRef,
  record: RecordRef,
): Promise<LivingRecord | undefined> {
  const replyTo = (await readSurvivor(store, tenant, record))?.ref
  return replyTo && { replyTo, ...(replyTo.id !== record.id && { replyThrough: record.id }) }
}

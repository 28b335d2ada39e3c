import type { TenantRef } from '../../../kernel/tenancy.ts'
import { normalAddress } from '../../../platform/mail/normal-address.ts'
import { deliveriesOfRecordPartition } from '../../../platform/store/keys/messages/deliveries.ts'
import { messagePartitions } from '../../../platform/store/keys/messages/incoming.ts'
import { newestRows } from '../../../platform/store/ranges/newest-rows.ts'
import { deliverySlots, messageSlots, slotName } from '../../../platform/store/slots.ts'
import type { Store } from '../../../platform/store/store.ts'
import { readDelivery } from '../../deliveries/rows/delivery-row.ts'
import type { RecordRef } from '../../incoming-messages/message.ts'
import { livingRecord, recordOfMessage } from '../../incoming-messages/messages-of-record.ts'
import { type KnownText, quotesMost } from '../../incoming-messages/new-text/repeated-text.ts'
import { readMessageHead } from '../../incoming-messages/rows/message-row.ts'
import type { Thread } from '../mail/find-thread.ts'
import type { ParsedMail } from '../mail/parts/parsed-mail.ts'
import { sentText, type TextDependencies } from './answered-texts.ts'

/** So many mails of a sender, and mails to them about the record of each, the newest, may be answered without a header that says so. */
const lookedThrough = 5

/**
 * The record about which a mail quotes one of ours, for programs that do not say which mail they answer: one that a person
 * wrote, that went to the sender, and that is about a record to which they wrote lately.
 */
export async function findQuoted(
  services: TextDependencies & { readonly store: Pick<Store, 'get' | 'getMany' | 'query'> },
  tenant: TenantRef,
  { from, body, subject, auto }: Pick<ParsedMail, 'from' | 'body' | 'subject' | 'auto'>,
): Promise<{ readonly thread: Thread; readonly text: KnownText } | undefined> {
  const sender = from?.email ? normalAddress(from.email) : null
  if (sender === null || auto !== null || !mayAnswer(subject, body)) return undefined
  for (const record of await recordsOfSender(services.store, tenant, from?.email ?? sender)) {
    const partition = {
      pk: deliveriesOfRecordPartition(tenant, record.model, record.id),
      index: slotName(deliverySlots.ofRecord),
    }
    const { rows } = await newestRows(services.store, tenant, partition, undefined, lookedThrough)
    for (const delivery of rows.map(({ item }) => readDelivery(item))) {
      const reached = [delivery.recipient, ...(delivery.cc ?? [])].map(normalAddress)
      const { is_internal: isInternal, forward_id: forward } = delivery.source
      if (delivery.channelType !== 'email' || !reached.includes(sender)) continue
      if (isInternal && forward === undefined) continue
      const text = await sentText(services, tenant, delivery)
      if (!text?.isWhole || !quotesMost(body, text.text)) continue
      const living = await livingRecord(services.store, tenant, record)
      if (living) return { thread: { ...living, ...(forward !== undefined && { isInternal: true, forward }) }, text }
    }
  }
  return undefined
}

/** A new mail quotes nothing, as far as one can see at once. */
const mayAnswer = (subject: string | null, body: string): boolean =>
  /^\s*\p{L}{1,6}(?:\[\d+\])?\s?[:：]/u.test(subject ?? '') || /^\s*>/m.test(body)

/** The records of the newest mails of a sender, each once. */
async function recordsOfSender(
  store: Pick<Store, 'get' | 'getMany' | 'query'>,
  tenant: TenantRef,
  sender: string,
): Promise<readonly RecordRef[]> {
  const index = slotName(messageSlots.bySender)
  const read = await Promise.all(
    messagePartitions(tenant, { sender: sender.toLowerCase() }).map((pk) =>
      newestRows(store, tenant, { pk, index }, undefined, lookedThrough),
    ),
  )
  const heads = read.flatMap(({ rows }) => rows.map(({ item }) => readMessageHead(item)))
  const newest = heads.toSorted((a, b) => b.id - a.id).slice(0, lookedThrough)
  const records = await Promise.all(newest.map(({ id }) => recordOfMessage(store, tenant, id)))
  return [...new Map(records.flatMap((one) => (one ? [[`${one.model} ${one.id}`, one] as const] : []))).values()]
}

import type { Tenant } from '../../../kernel/tenancy.ts'
import { normalAddress } from '../../../platform/mail/normal-address.ts'
import { numbersIn } from '../../../platform/mail/subject-number.ts'
import { recordKey } from '../../../platform/store/keys/records.ts'
import type { Store } from '../../../platform/store/store.ts'
import { deliveriesOfRecord } from '../../deliveries/administer/deliveries-of-record.ts'
import { readMailAddresses } from '../../incoming-messages/mail-addresses.ts'
import type { RecordRef } from '../../incoming-messages/message.ts'
import { livingRecord, messagesOfRecord } from '../../incoming-messages/messages-of-record.ts'
import type { Thread } from '../mail/find-thread.ts'
import type { ParsedMail } from '../mail/parts/parsed-mail.ts'

/** So many messages and deliveries of a record, the newest, say who takes part in its conversation. */
const lookedThrough = 20

/**
 * The record whose number the subject of a mail has, of whatever table, when its sender takes part in the conversation about it:
 * wrote to it, was named by a mail, or got one about it. Of several the one with the latest mail. Numbers are no secret, so a
 * stranger who has one joins nothing; and what somebody writes to whom the record was forwarded is for the team alone.
 */
export async function findNumbered(
  store: Pick<Store, 'query' | 'getMany'>,
  tenant: Tenant,
  tableNames: readonly string[],
  { subject, from }: Pick<ParsedMail, 'subject' | 'from'>,
): Promise<Thread | undefined> {
  const sender = from?.email ? normalAddress(from.email) : null
  const numbers = numbersIn(subject ?? '')
  if (sender === null || numbers.length === 0) return undefined
  const named = numbers.flatMap((id) => tableNames.map((model): RecordRef => ({ model, id })))
  const rows = await store.getMany(
    tenant,
    named.map(({ model, id }) => recordKey(tenant, model, id)),
    ['pk', 'sk'],
  )
  const found = await Promise.all(
    named
      .filter((_, index) => rows[index] !== undefined)
      .map(async (record) => ({ record, ...(await lastMailWith(store, tenant, record, sender)) })),
  )
  const [latest] = found.filter(({ lastMs }) => lastMs > 0).toSorted((a, b) => b.lastMs - a.lastMs)
  const living = latest && (await livingRecord(store, tenant, latest.record))
  return living && { ...living, ...(latest.forward !== undefined && { isInternal: true, forward: latest.forward }) }
}

/** When somebody last sent or got a mail about a record, 0: never; and the forward that they got or answered, if any. */
async function lastMailWith(
  store: Pick<Store, 'query' | 'getMany'>,
  tenant: Tenant,
  record: RecordRef,
  person: string,
): Promise<{ readonly lastMs: number; readonly forward: number | undefined }> {
  const isPerson = (address: string | null): boolean => address !== null && normalAddress(address) === person
  const [{ messages }, { deliveries }] = await Promise.all([
    messagesOfRecord(store, tenant, record, undefined, lookedThrough),
    deliveriesOfRecord(store, tenant, record, undefined, lookedThrough),
  ])
  const received = await Promise.all(
    messages.map(async ({ message }) => {
      if (message.channel !== 'email') return 0
      const { replyTo, others } = await readMailAddresses(store, tenant, message)
      const people = [message.fromEmail, ...replyTo.map(({ email }) => email), ...others]
      return people.some(isPerson) ? message.receivedAtMs : 0
    }),
  )
  const got = deliveries
    .map(({ delivery }) => delivery)
    .filter(({ channel_type: type, recipient, cc = [] }) => type === 'email' && [recipient, ...cc].some(isPerson))
  const forward =
    got.find(({ source }) => source.forward_id !== undefined)?.source.forward_id ??
    messages.find(({ message }) => message.forward !== undefined && isPerson(message.fromEmail))?.message.forward
  return { lastMs: Math.max(0, ...received, ...got.map(({ created_at: at }) => Date.parse(at))), forward }
}

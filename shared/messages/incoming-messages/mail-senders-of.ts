import type { TenantRef } from '../../kernel/tenancy.ts'
import type { Store } from '../../platform/store/store.ts'
import type { RecordRef } from './message.ts'
import { messagesOfRecord } from './messages-of-record.ts'

/** More mails in so short a time are of senders who are known by then. */
const newest = 10

/** Who sent a mail, and whether one of theirs is to be answered by people only. */
export interface MailSender {
  readonly address: string
  readonly isQuiet: boolean
}

/** Who sent the latest mails that made a record or reply to it, as far as they came in since a time. */
export async function mailSendersOf(
  store: Pick<Store, 'query' | 'getMany'>,
  tenant: TenantRef,
  record: RecordRef,
  sinceMs: number,
): Promise<MailSender[]> {
  const { messages } = await messagesOfRecord(store, tenant, record, undefined, newest)
  const senders = new Map<string, boolean>()
  for (const { channel, fromEmail, waitingSinceMs, isQuiet = false } of messages.map(({ message }) => message))
    if (channel === 'email' && fromEmail !== null && waitingSinceMs > sinceMs)
      senders.set(fromEmail, isQuiet || senders.get(fromEmail) === true)
  return [...senders].map(([address, isQuiet]) => ({ address, isQuiet }))
}

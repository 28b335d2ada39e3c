import type { TenantRef } from '../../kernel/tenancy.ts'
import type { Store } from '../../platform/store/store.ts'
import type { RecordRef } from './message.ts'
import { messagesOfRecord } from './messages-of-record.ts'

/** More mails in so short a time are of senders who are known by then. */
const newest = 10

/** Who sent the latest mails that made a record or reply to it, as far as they came in since a time. */
export async function mailSendersOf(
  store: Pick<Store, 'query' | 'getMany'>,
  tenant: TenantRef,
  record: RecordRef,
  sinceMs: number,
): Promise<string[]> {
  const { messages } = await messagesOfRecord(store, tenant, record, undefined, newest)
  const senders = messages.flatMap(({ message: { channel, fromEmail, waitingSinceMs } }) =>
    channel === 'email' && fromEmail !== null && waitingSinceMs > sinceMs ? [fromEmail] : [],
  )
  return [...new Set(senders)]
}

import type { TenantRef } from '../../kernel/tenancy.ts'
import { messageKey, messageLinksPartition } from '../../platform/store/keys/messages/incoming.ts'
import type { Store } from '../../platform/store/store.ts'
import type { MessageHead, RecordRef } from './message.ts'
import { readMessageHead } from './rows/message-row.ts'

/** The first messages that belong to a record, oldest first: one of them may have made it. */
export async function earliestMessages(
  store: Pick<Store, 'query' | 'getMany'>,
  tenant: TenantRef,
  { model, id }: RecordRef,
  limit: number,
): Promise<MessageHead[]> {
  const { items } = await store.query(tenant, { pk: messageLinksPartition(tenant, model, id), limit })
  if (items.length === 0) return []
  const keys = items.map((item) => messageKey(tenant, Number(item.message_id)))
  return (await store.getMany(tenant, keys)).flatMap((item) => (item ? [readMessageHead(item)] : []))
}

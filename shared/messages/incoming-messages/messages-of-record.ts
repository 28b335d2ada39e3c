import type { TenantRef } from '../../kernel/tenancy.ts'
import { messageKey, messageLinksPartition } from '../../platform/store/keys/messages/incoming.ts'
import { newestRows } from '../../platform/store/ranges/newest-rows.ts'
import type { Store } from '../../platform/store/store.ts'
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

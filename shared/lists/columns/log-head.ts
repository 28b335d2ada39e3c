import type { TenantRef } from '../../kernel/tenancy.ts'
import { columnLogPartition } from '../../platform/store/keys/columns.ts'
import type { Store } from '../../platform/store/store.ts'
import { emptyLog, logHeadAttributes, type LogHead, readLogHead } from './log-entry.ts'

/** The last entry of the log. The one folded last is never removed, so an empty log never had any. */
export async function readHead(store: Pick<Store, 'query'>, tenant: TenantRef, model: string): Promise<LogHead> {
  const { items } = await store.query(tenant, {
    pk: columnLogPartition(tenant, model),
    reverse: true,
    limit: 1,
    attributes: logHeadAttributes,
  })
  return items[0] ? readLogHead(items[0]) : emptyLog
}

import type { Tenant } from '../../../kernel/tenancy.ts'
import type { MessageHead } from '../../../messages/incoming-messages/service.ts'
import { recordKey } from '../../../platform/store/keys/records.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import { readLivingRecord, type StoredRecord } from '../../../records/records/service.ts'
import type { Tables } from '../../../tables/tables/service.ts'
import type { IncomingAction } from '../incoming-action.ts'

/** The record that a message replies to. */
export interface RepliedRecord {
  readonly ref: { readonly model: string; readonly id: number }
  readonly record: StoredRecord
  readonly item: Item
}

/**
 * The record of a rule's table that a message replies to, when the rule treats replies specially; undefined when the
 * record is gone: the message is an ordinary one then.
 */
export async function repliedRecord(
  { store, tables }: { readonly store: Pick<Store, 'get'>; readonly tables: Pick<Tables, 'find'> },
  tenant: Tenant,
  { replyTo }: Pick<MessageHead, 'replyTo'>,
  { targetModel, onReply }: Pick<IncomingAction, 'targetModel' | 'onReply'>,
): Promise<RepliedRecord | undefined> {
  if (replyTo?.model !== targetModel || onReply === 'create') return undefined
  const [table, item] = await Promise.all([
    tables.find(tenant, targetModel),
    store.get(tenant, recordKey(tenant, targetModel, replyTo.id)),
  ])
  const record = table && readLivingRecord(item, table)
  return item && record && { ref: replyTo, record, item }
}

import type { Tenant } from '../../../kernel/tenancy.ts'
import type { MessageHead } from '../../../messages/incoming-messages/message.ts'
import { readSurvivor } from '../../../platform/store/ranges/merged-records.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import { readLivingRecord, type StoredRecord } from '../../../records/records/record-item.ts'
import type { Tables } from '../../../tables/tables/read-tables.ts'
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
  { store, tables }: { readonly store: Pick<Store, 'getMany'>; readonly tables: Pick<Tables, 'find'> },
  tenant: Tenant,
  { replyTo }: Pick<MessageHead, 'replyTo'>,
  { targetModel, onReply }: Pick<IncomingAction, 'targetModel' | 'onReply'>,
): Promise<RepliedRecord | undefined> {
  if (replyTo?.model !== targetModel || onReply === 'create') return undefined
  // It may have been merged since the message arrived.
  const [table, survivor] = await Promise.all([tables.find(tenant, targetModel), readSurvivor(store, tenant, replyTo)])
  const record = table && readLivingRecord(survivor?.item, table)
  return survivor && record && { ...survivor, record }
}

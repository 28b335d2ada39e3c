import { findUser } from '../../../shared/accounts/people/user.ts'
import { viewerOfUser } from '../../../shared/accounts/sessions/authentication.ts'
import { mayOnTable, permittedFields } from '../../../shared/kernel/permissions.ts'
import type { DescribeNoticedRecord } from '../../../shared/messages/notifications/notice-mail.ts'
import { recordKey } from '../../../shared/platform/store/keys/records.ts'
import { readLivingRecord } from '../../../shared/platform/store/rows/record-row.ts'
import { config } from '../platform/config.ts'
import { store } from '../platform/store.ts'
import { rowAccess } from '../records/row-access.ts'
import { tables } from '../tables/tables.ts'
import { recordUrl } from './record-links.ts'

/**
 * The record of a notice as the notified person may know it: nothing for who may not read it, no title where field rules
 * hide it.
 */
export const describeNoticedRecord: DescribeNoticedRecord = async (tenant, { userId, model, id }) => {
  const [table, user] = await Promise.all([tables.find(tenant, model), findUser(store, tenant, userId)])
  if (!table || !user) return undefined
  const viewer = await viewerOfUser(config, tenant, user)
  const item = mayOnTable(viewer, model, 'read') ? await store.get(tenant, recordKey(tenant, model, id)) : undefined
  const record = readLivingRecord(item, table)
  if (!item || !record) return undefined
  const [permitted] = await rowAccess.permitted(viewer, model, 'read', [item])
  if (!permitted) return undefined
  const readable = permittedFields(viewer, model, 'read')
  const { title_field: titleField, label } = table
  const title = titleField !== null && (readable?.has(titleField) ?? true) ? record.data[titleField] : undefined
  return { id, label, title: typeof title === 'string' ? title : '', url: recordUrl(tenant, { model, id }) }
}

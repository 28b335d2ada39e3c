import { findUser } from '../../../shared/accounts/people/user.ts'
import { viewerOfUser } from '../../../shared/accounts/sessions/authentication.ts'
import { mayOnTable, permittedFields } from '../../../shared/kernel/permissions.ts'
import type { DescribeNoticedRecord } from '../../../shared/messages/notifications/notice-mail.ts'
import type { NoticeReaders } from '../../../shared/messages/notifications/notify-people.ts'
import { portalRecordKey, portalRequestKey } from '../../../shared/platform/store/keys/portal.ts'
import { recordKey } from '../../../shared/platform/store/keys/records.ts'
import { readLivingRecord } from '../../../shared/platform/store/rows/record-row.ts'
import { requestFollowers } from '../../../shared/records/portal-requests/followers.ts'
import { readRequest } from '../../../shared/records/portal-requests/request-row.ts'
import { config } from '../platform/config.ts'
import { store } from '../platform/store.ts'
import { rowAccess } from '../records/row-access.ts'
import { tables } from '../tables/tables.ts'
import { appUrl, recordUrl } from './record-links.ts'

/**
 * The record of a notice as the notified person may know it: nothing for who may not read it, no title where field rules
 * hide it.
 */
const describeNoticedRecord: DescribeNoticedRecord = async (tenant, { userId, model, id }) => {
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

/**
 * Where somebody without a right on the table of a notice finds what it is about: their request in the portal, or their
 * approvals. Undefined for who has the right, and where the portal has nothing of it.
 */
const portalUrl: NoticeReaders['portalUrl'] = async (tenant, notice) => {
  const { userId, model, recordId, isOfProcess = false } = notice
  if (recordId === null || model === '' || model.startsWith('sys_')) return undefined
  const pointer = await store.get(tenant, portalRecordKey(tenant, model, recordId))
  if (!pointer && !isOfProcess) return undefined
  const user = await findUser(store, tenant, userId)
  if (!user || mayOnTable(await viewerOfUser(config, tenant, user), model, 'read')) return undefined
  const followers = pointer && (await requests.followersOf(tenant, { model, id: recordId }))
  if (followers?.has(userId)) return `${appUrl()}/portal/requests/${Number(pointer?.request_id)}`
  return isOfProcess ? `${appUrl()}/portal/approvals` : undefined
}

const requests = requestFollowers({ store })

/** The language of a user; null when they chose none. */
const localeOf: NoticeReaders['localeOf'] = async (tenant, userId) =>
  (await findUser(store, tenant, userId))?.locale ?? null

/** Also of a deleted record: that it was deleted is a notice. One whose row is gone is for who may read its table. */
const mayStillRead: NoticeReaders['mayStillRead'] = async (tenant, { userId, model, recordId, isInternal }) => {
  const user = await findUser(store, tenant, userId)
  if (!user?.isActive || recordId === null) return false
  const viewer = await viewerOfUser(config, tenant, user)
  if (!mayOnTable(viewer, model, 'read') || (isInternal && !mayOnTable(viewer, model, 'comment_internal'))) return false
  const item = await store.get(tenant, recordKey(tenant, model, recordId))
  return !item || (await rowAccess.permitted(viewer, model, 'read', [item]))[0] !== undefined
}

const isWatched: NoticeReaders['isWatched'] = async (tenant, { userId, model, recordId, category, isOfProcess }) => {
  if (isOfProcess || recordId === null || model.startsWith('sys_')) return false
  if (category !== 'comment' && category !== 'change') return false
  const pointer = await store.get(tenant, portalRecordKey(tenant, model, recordId))
  const row = pointer && (await store.get(tenant, portalRequestKey(tenant, Number(pointer.request_id))))
  return !row || readRequest(row).userId !== userId
}

/** What notices are made for their reader with. */
export const noticeReaders: NoticeReaders = { describeNoticedRecord, portalUrl, mayStillRead, isWatched, localeOf }

import { namesOf } from '../../../accounts/people/user.ts'
import type { Caller } from '../../../kernel/principal.ts'
import type { RowListQuery } from '../../../platform/http/paging/page-query.ts'
import type { Page } from '../../../platform/http/routing/envelope.ts'
import { portalRecordKey, portalRequestKey } from '../../../platform/store/keys/portal.ts'
import { recordKey } from '../../../platform/store/keys/records.ts'
import { readLivingRecord } from '../../../platform/store/rows/record-row.ts'
import { readRequest } from '../../../records/portal-requests/request-row.ts'
import { itemOf } from '../../portal-items/portal-items.ts'
import type { TaskAnswer } from '../../processes/schema.ts'
import { listOwnTasks } from '../../processes/tasks/list-tasks.ts'
import type { PortalDependencies } from '../dependencies.ts'
import { aboutItem } from '../requests/open-request.ts'
import { describeFields, stateText, titleOf } from '../requests/shown-record.ts'
import type { Approval } from '../schema.ts'

/** The open tasks that wait for the caller and ask for an outcome, newest first, with what the item of their request shows. */
export async function listApprovals(
  services: PortalDependencies,
  caller: Caller,
  query: RowListQuery,
): Promise<Page<Approval>> {
  const page = await listOwnTasks(services.records, caller, query, ({ outcomes }) => outcomes.length > 0)
  return { ...page, items: await Promise.all(page.items.map((task) => describeApproval(services, caller, task))) }
}

/** A task as its approver sees it. */
export async function describeApproval(
  services: PortalDependencies,
  caller: Caller,
  task: TaskAnswer,
): Promise<Approval> {
  const { id, name, assignee, due_at, form, outcomes, created_at } = task
  return {
    id,
    name,
    is_claimed: assignee !== null,
    due_at,
    form,
    outcomes,
    created_at,
    request: await requestOf(services, caller, task),
  }
}

/** What an approver sees of the request; null for a record that was not made in the portal. */
async function requestOf(
  services: PortalDependencies,
  caller: Caller,
  { model, record_id }: TaskAnswer,
): Promise<Approval['request']> {
  const { store, tables } = services.records
  const { tenant } = caller
  if (record_id === null) return null
  const [pointer, found, table] = await Promise.all([
    store.get(tenant, portalRecordKey(tenant, model, record_id)),
    store.get(tenant, recordKey(tenant, model, record_id)),
    tables.find(tenant, model),
  ])
  const row = pointer && (await store.get(tenant, portalRequestKey(tenant, Number(pointer.request_id))))
  const record = table && readLivingRecord(found, table)
  if (!row || !table || !record) return null
  const request = readRequest(row)
  const item = await itemOf(services, tenant, request.itemId)
  const { state } = aboutItem(table, item, record)
  const [fields, names] = await Promise.all([
    describeFields(services, caller, table, item, record),
    namesOf(store, tenant, [request.userId]),
  ])
  return {
    item: item ? { id: item.id, name: item.name, icon: item.icon } : null,
    title: titleOf(table, item, record),
    state: stateText(state, item, record),
    requester: { id: request.userId, name: names.get(request.userId) ?? 'Unknown user' },
    fields,
    created_at: request.createdAt,
  }
}

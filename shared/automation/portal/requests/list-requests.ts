import { maxListedRequests } from '../../../kernel/limits/portal.ts'
import type { Caller } from '../../../kernel/principal.ts'
import { pageOfWholeList } from '../../../platform/http/paging/whole-list.ts'
import type { Page } from '../../../platform/http/routing/envelope.ts'
import { portalListPartition, portalRequestKey } from '../../../platform/store/keys/portal.ts'
import { recordKey } from '../../../platform/store/keys/records.ts'
import { readRequest } from '../../../records/portal-requests/request-row.ts'
import type { PortalDependencies } from '../dependencies.ts'
import type { PortalRequestAnswer, PortalRequestHead, PortalRequestsQuery } from '../schema.ts'
import { readConversation } from './conversation.ts'
import { describeOpened, type OpenedRequest } from './open-request.ts'
import { ratingOf } from './rating.ts'
import { mayReopen } from './reopen-request.ts'
import { describeFields, numberOf, stateText, titleOf } from './shown-record.ts'
import { describeAdded } from './watchers.ts'

/** The requests that the caller sent or follows, newest first. Those whose records are gone are left out. */
export async function listRequests(
  services: PortalDependencies,
  caller: Caller,
  { state, ...query }: PortalRequestsQuery,
): Promise<Page<PortalRequestHead>> {
  const { store } = services.records
  const { tenant, userId } = caller
  const { items: listed } = await store.query(tenant, {
    pk: portalListPartition(tenant, userId),
    reverse: true,
    limit: maxListedRequests,
  })
  const rows = await store.getMany(
    tenant,
    listed.map(({ request_id }) => portalRequestKey(tenant, Number(request_id))),
  )
  const requests = rows.flatMap((row) => (row ? [readRequest(row)] : []))
  const records = await store.getMany(
    tenant,
    requests.map(({ model, recordId }) => recordKey(tenant, model, recordId)),
  )
  const heads = await Promise.all(
    requests.map(async (request, index): Promise<PortalRequestHead[]> => {
      const opened = await describeOpened(services, caller, request, records[index])
      return opened ? [describeHead(opened)] : []
    }),
  )
  const wanted = heads.flat().filter((head) => state === undefined || head.is_closed === (state === 'closed'))
  return pageOfWholeList('portal requests', wanted, query)
}

/** A request as its list shows it. */
function describeHead({ request, table, record, item, state, isClosed, isOwn }: OpenedRequest): PortalRequestHead {
  return {
    id: request.id,
    number: numberOf(table, item, record),
    title: titleOf(table, item, record),
    item: item ? { id: item.id, name: item.name, icon: item.icon } : null,
    state: stateText(state, item, record),
    is_closed: isClosed,
    is_own: isOwn,
    created_at: request.createdAt,
  }
}

/** A request with all that whoever sent it or follows it may know, and nothing else. */
export async function describeRequest(
  services: PortalDependencies,
  caller: Caller,
  opened: OpenedRequest,
): Promise<PortalRequestAnswer> {
  const { table, record, item } = opened
  const [conversation, fields, rating, watchers] = await Promise.all([
    readConversation(services, caller, opened),
    describeFields(services, caller, table, item, record),
    ratingOf(services, caller, opened),
    describeAdded(services, caller, opened),
  ])
  return {
    ...describeHead(opened),
    promised_at: null,
    actions: actionsOf(opened),
    fields,
    watchers,
    rating,
    ...conversation,
  }
}

/** What whoever reads the request may do with it now. */
function actionsOf(opened: OpenedRequest): PortalRequestAnswer['actions'] {
  const { isClosed, isOwn } = opened
  return [
    'comment' as const,
    ...(isOwn ? ['add_watchers' as const] : []),
    ...(mayReopen(opened) ? ['reopen' as const] : []),
    ...(isClosed && isOwn ? ['rate' as const] : []),
  ]
}

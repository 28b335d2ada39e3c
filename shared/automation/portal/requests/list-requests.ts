import { maxListedRequests } from '../../../kernel/limits/portal.ts'
import type { Caller } from '../../../kernel/principal.ts'
import { pageOfWholeList } from '../../../platform/http/paging/whole-list.ts'
import type { Page } from '../../../platform/http/routing/envelope.ts'
import { portalListPartition, portalRequestKey } from '../../../platform/store/keys/portal.ts'
import { recordKey } from '../../../platform/store/keys/records.ts'
import { readRequest } from '../../../records/portal-requests/request-row.ts'
import type { PortalDependencies } from '../dependencies.ts'
import type { PortalRequestHead, PortalRequestsQuery } from '../schema.ts'
import { describeHead } from './describe-request.ts'
import { describeOpened } from './open-request.ts'

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

import type { Warning } from '../../../shared/kernel/failures/warning.ts'
import type { TenantRef } from '../../../shared/kernel/tenancy.ts'
import { clock } from '../../../shared/kernel/time/clock.ts'
import { keysOfRevision, readRevision } from '../../../shared/lists/columns/revision.ts'
import { PageQuery } from '../../../shared/platform/http/paging/page-query.ts'
import { endpointGroup } from '../../../shared/platform/http/routing/endpoint-group.ts'
import { type CallerRequest, implement } from '../../../shared/platform/http/routing/implement.ts'
import { columnManifestKey } from '../../../shared/platform/store/keys/columns.ts'
import { sequenceKey } from '../../../shared/platform/store/keys/records.ts'
import { sequenceOf } from '../../../shared/platform/store/sequence/sequence.ts'
import type { Item } from '../../../shared/platform/store/values/marshal.ts'
import { listByBody, listByParameters, readFilter } from '../../../shared/records/records/read/list-records.ts'
import { searchEverywhere } from '../../../shared/records/records/read/search-everywhere.ts'
import { countEachView } from '../../../shared/records/views/count-views.ts'
import { countViews } from '../../../shared/records/views/schema.ts'
import { withView } from '../../../shared/records/views/use-view.ts'
import { authenticate } from '../../wiring/authenticate.ts'
import { columns } from '../../wiring/lists/columns.ts'
import { queries } from '../../wiring/lists/queries.ts'
import { store } from '../../wiring/platform/store.ts'
import { rowAccess } from '../../wiring/records/row-access.ts'
import { viewDependencies } from '../../wiring/records/views.ts'
import { tables } from '../../wiring/tables/tables.ts'
import * as route from './routes.ts'
import * as search from './search-routes.ts'

const lists = { tables, queries, store, access: rowAccess }
const counting = { ...viewDependencies, queries }

/** A list with what of its view was left out, if anything was. */
const warned = <P extends { readonly meta?: object }>(page: P, warnings: readonly Warning[]): P =>
  warnings.length > 0 ? { ...page, meta: { ...page.meta, warnings } } : page

/**
 * The sequence row: its live count is the total of a list without a filter. For the first list of a table in this process
 * also where its columns are.
 */
const withSequence = (tenant: TenantRef, { model }: { model: string }) => [
  sequenceKey(tenant, model),
  ...columns.keysAhead(tenant, model),
]
type ListRequest = Pick<CallerRequest<typeof route.listRecords>, 'caller' | 'params' | 'preloaded'>
function sequenceIn({ caller: { tenant }, params: { model }, preloaded }: ListRequest) {
  const manifest = preloaded.get(columnManifestKey(tenant, model)) as Item | null | undefined
  if (manifest !== undefined) columns.readAhead(tenant, model, manifest)
  return sequenceOf(preloaded.get(sequenceKey(tenant, model)) as Item | null | undefined)
}

/** The links of an answer carry their page in the query string; it wins over the body. */
const pagingOf = ({ query, body }: Pick<CallerRequest<typeof route.listServer>, 'query' | 'body'>): PageQuery =>
  PageQuery.parse({
    page: query.page ?? body.page,
    per_page: query.per_page ?? body.per_page,
    cursor: query.page === undefined ? (query.cursor ?? body.cursor) : null,
  })

export const handler = endpointGroup({ authenticate }, [
  implement(
    route.listRecords,
    async (request) => {
      const { caller, params, query } = request
      const sequence = sequenceIn(request)
      const given = { ...query, filter: readFilter(query.filter) }
      const { query: viewed, warnings } = await withView(viewDependencies, caller, params.model, given, {
        asRecords: true,
      })
      return warned(await listByParameters(lists, caller, params.model, { ...query, ...viewed }, sequence), warnings)
    },
    withSequence,
  ),
  implement(
    route.listServer,
    async (request) => {
      const { caller, params, query, body } = request
      const sequence = sequenceIn(request)
      const { query: viewed, warnings } = await withView(viewDependencies, caller, params.model, {
        ...body,
        view: query.view ?? body.view,
      })
      return warned(await listByBody(lists, caller, params.model, viewed, pagingOf(request), sequence), warnings)
    },
    withSequence,
  ),
  implement(
    route.getRevision,
    async ({ caller: { tenant }, params: { model }, headers, preloaded }) => {
      await tables.require(tenant, model)
      return readRevision({ store, clock }, tenant, model, headers['if-none-match'], preloaded)
    },
    (tenant, { model }, _userId, headers) => keysOfRevision(tenant, model, headers['if-none-match']),
  ),
  implement(search.searchEverywhere, ({ caller, query }) => searchEverywhere(lists, caller, query)),
  implement(countViews, ({ caller, query }) => countEachView(counting, caller, query.model)),
])

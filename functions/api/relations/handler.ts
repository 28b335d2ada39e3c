import { clock } from '../../../shared/kernel/time/clock.ts'
import { implementObject } from '../../../shared/platform/configured-objects/implement-object.ts'
import { pageOfWholeList } from '../../../shared/platform/http/paging/whole-list.ts'
import { endpointGroup } from '../../../shared/platform/http/routing/endpoint-group.ts'
import { implement } from '../../../shared/platform/http/routing/implement.ts'
import { recordKey } from '../../../shared/platform/store/keys/records.ts'
import type { Item } from '../../../shared/platform/store/values/marshal.ts'
import { relationObjects } from '../../../shared/records/relations/administer-relations.ts'
import { createRelations } from '../../../shared/records/relations/service.ts'
import { authenticate } from '../../wiring/authenticate.ts'
import { config } from '../../wiring/platform/config.ts'
import { store } from '../../wiring/platform/store.ts'
import { recordReads } from '../../wiring/records/record-reads.ts'
import { rowAccess } from '../../wiring/records/row-access.ts'
import { tables } from '../../wiring/tables/tables.ts'
import * as route from './routes.ts'

const services = {
  store,
  config,
  tables,
  clock,
  access: rowAccess,
  findRecords: recordReads.findMany,
}
const relations = createRelations(services)

export const handler = endpointGroup({ authenticate }, [
  ...implementObject(route.relationObjectRoutes, relationObjects, services),
  implement(route.listRelationsOfTable, async ({ caller, params, query }) =>
    pageOfWholeList('relations', await relations.ofTable(caller.tenant, params.sys_table_id), query),
  ),
  implement(
    route.listRelated,
    ({ caller, params, query, preloaded }) => {
      const { relation_id: relationId, table_name: table, instance_id: id } = params
      const near = preloaded.get(recordKey(caller.tenant, table, id)) as Item | null | undefined
      return relations.related(caller, { relationId, table, id, position: query.position, preloaded: near }, query)
    },
    (tenant, { table_name, instance_id }) => [recordKey(tenant, table_name, instance_id)],
  ),
  implement(route.addRelated, ({ caller, params, body }) =>
    relations.addLinks(
      caller,
      { relationId: params.relation_id, position: params.table_position, id: params.instance_id },
      body.ids,
    ),
  ),
  implement(route.unlinkRelated, ({ caller, params, body }) =>
    relations.unlink(
      caller,
      { relationId: params.relation_id, position: params.table_position, id: params.right_id },
      body?.ids,
    ),
  ),
])

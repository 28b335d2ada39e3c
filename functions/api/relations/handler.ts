import { clock } from '../../../shared/kernel/time/clock.ts'
import { pageOfWholeList } from '../../../shared/platform/http/paging/whole-list.ts'
import { endpointGroup } from '../../../shared/platform/http/routing/endpoint-group.ts'
import { implement } from '../../../shared/platform/http/routing/implement.ts'
import { recordKey } from '../../../shared/platform/store/keys/records.ts'
import type { Item } from '../../../shared/platform/store/values/marshal.ts'
import { createRelations } from '../../../shared/records/relations/service.ts'
import { authenticate } from '../../wiring/authenticate.ts'
import { config } from '../../wiring/platform/config.ts'
import { store } from '../../wiring/platform/store.ts'
import { recordReads } from '../../wiring/records/record-reads.ts'
import { rowAccess } from '../../wiring/records/row-access.ts'
import { tables } from '../../wiring/tables/tables.ts'
import * as route from './routes.ts'

const relations = createRelations({
  store,
  config,
  tables,
  clock,
  access: rowAccess,
  findRecords: recordReads.findMany,
})

export const handler = endpointGroup({ authenticate }, [
  implement(route.listRelations, ({ caller, query }) => relations.list(caller, query)),
  implement(route.createRelation, ({ caller, body }) => relations.create(caller, body)),
  implement(route.getRelation, ({ caller, params }) => relations.get(caller, params.id)),
  implement(route.changeRelation, ({ caller, params, body, ifMatch }) =>
    relations.change(caller, params.id, body, ifMatch),
  ),
  implement(route.deleteRelation, ({ caller, params, ifMatch }) => relations.remove(caller, params.id, ifMatch)),
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

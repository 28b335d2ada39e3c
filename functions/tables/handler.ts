import { pageOfWholeList } from '../../shared/http/paging/whole-list.ts'
import { group } from '../../shared/http/routing/endpoint-group.ts'
import type { Page } from '../../shared/http/routing/envelope.ts'
import { implement } from '../../shared/http/routing/implement.ts'
import type { Tenant } from '../../shared/kernel/tenancy.ts'
import { checkSource } from '../../shared/scripts/service.ts'
import type { TableDocument, TableHead } from '../../shared/tables/schema.ts'
import { tableDocument, tableHead, type Table } from '../../shared/tables/service.ts'
import { compose } from '../wiring/compose.ts'
import * as route from './routes.ts'

const { authenticate, tables, relations, jobs } = compose({ checkScript: checkSource })

async function document(tenant: Tenant, table: Table, withScripts: boolean): Promise<TableDocument> {
  const [ofTable, job] = await Promise.all([
    relations.of(tenant, table.name),
    table.rebuilding && jobs.find(tenant, table.rebuilding.job_id),
  ])
  const rebuilding = table.rebuilding && {
    job_id: table.rebuilding.job_id,
    done: job?.done ?? 0,
    total: job?.total ?? null,
  }
  return tableDocument(table, ofTable, withScripts, rebuilding)
}

export const handler = group({ authenticate }, [
  implement(route.listTables, async ({ caller, query }): Promise<Page<TableHead>> => {
    const all = (await tables.all(caller.tenant)).map(tableHead)
    return pageOfWholeList('tables', all, query)
  }),
  implement(route.getTable, async ({ caller, params }) =>
    document(caller.tenant, await tables.need(caller.tenant, params.model), caller.isAdministrator),
  ),
  implement(route.createTable, async ({ caller, body }) =>
    document(caller.tenant, await tables.create(caller, body), true),
  ),
  implement(route.changeTable, async ({ caller, params, body }) =>
    document(caller.tenant, await tables.change(caller, params.model, body), true),
  ),
  implement(route.deleteTable, async ({ caller, params }) => tables.remove(caller, params.model)),
])

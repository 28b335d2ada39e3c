import { pageOf, type Page } from '../../shared/http/envelope.ts'
import { group } from '../../shared/http/group.ts'
import { implement } from '../../shared/http/implement.ts'
import type { TableHead } from '../../shared/tables/schema.ts'
import { tableDocument, tableHead } from '../../shared/tables/table.ts'
import { compose } from '../compose.ts'
import * as route from './routes.ts'

const { authenticate, tables } = compose()

export const handler = group({ authenticate }, [
  implement(route.listTables, async ({ caller, query }): Promise<Page<TableHead>> => {
    const all = (await tables.all(caller.tenant)).map(tableHead)
    return pageOf(all, query)
  }),
  implement(route.getTable, async ({ caller, params }) => tableDocument(await tables.need(caller.tenant, params.model), caller.isAdministrator)),
  implement(route.createTable, async ({ caller, body }) => tableDocument(await tables.create(caller, body), true)),
  implement(route.changeTable, async ({ caller, params, body }) => tableDocument(await tables.change(caller, params.model, body), true)),
  implement(route.deleteTable, async ({ caller, params }) => tables.remove(caller, params.model)),
])

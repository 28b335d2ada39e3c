import {
  administerUsers,
  changeRole,
  createRole,
  deleteRole,
  describeRole,
  findRole,
  listRoles,
  type RoleAdministration,
  createAuthentication,
} from '../../shared/auth/service.ts'
import { group } from '../../shared/http/routing/endpoint-group.ts'
import { implement } from '../../shared/http/routing/implement.ts'
import { clock } from '../../shared/kernel/clock.ts'
import { environment } from '../../shared/kernel/env.ts'
import { checkRules } from '../../shared/row-rules/service.ts'
import { createConfig } from '../../shared/store/config.ts'
import { createStore } from '../../shared/store/table.ts'
import { createTables } from '../../shared/tables/service.ts'
import * as route from './routes.ts'

const store = createStore(environment().TABLE_NAME)
const config = createConfig(store, clock)
const tables = createTables({ store, config, clock })
const accounts: RoleAdministration = {
  store,
  config,
  clock,
  checkRules: (tenant, rules) => checkRules((name) => tables.find(tenant, name), rules),
}
const users = administerUsers(accounts)

export const handler = group({ authenticate: createAuthentication(accounts) }, [
  implement(route.listUsers, ({ caller, query }) => users.list(caller.tenant, query)),
  implement(route.readUser, ({ caller, params }) => users.read(caller.tenant, params.id)),
  implement(route.createUser, ({ caller, body }) => users.create(caller, body)),
  implement(route.changeUser, ({ caller, params, body }) => users.change(caller, params.id, body)),
  implement(route.disableUser, ({ caller, params }) => users.disable(caller, params.id)),

  implement(route.listRoles, ({ caller, query }) => listRoles(accounts, caller.tenant, query)),
  implement(route.readRole, async ({ caller, params }) =>
    describeRole(await findRole(accounts, caller.tenant, params.id)),
  ),
  implement(route.createRole, async ({ caller, body }) => describeRole(await createRole(accounts, caller, body))),
  implement(route.changeRole, async ({ caller, params, body }) =>
    describeRole(await changeRole(accounts, caller, params.id, body)),
  ),
  implement(route.deleteRole, ({ caller, params }) => deleteRole(accounts, caller, params.id)),
])

import { limitChecks } from '../../../shared/accounts/access/check-limits.ts'
import { administerUsers } from '../../../shared/accounts/administration/administer-users.ts'
import { administerApiKeys } from '../../../shared/accounts/keys/administer-api-keys.ts'
import { pickPeople } from '../../../shared/accounts/people/lookup/pick-people.ts'
import { roleObjects } from '../../../shared/accounts/roles/administer-roles.ts'
import { authMappings } from '../../../shared/accounts/sign-in/providers/groups/administer-auth-mappings.ts'
import { resetSecondFactor } from '../../../shared/accounts/sign-in/second-factor/reset-second-factor.ts'
import { implementObject } from '../../../shared/platform/configured-objects/implement-object.ts'
import { endpointGroup } from '../../../shared/platform/http/routing/endpoint-group.ts'
import { implement } from '../../../shared/platform/http/routing/implement.ts'
import { accounts } from '../../wiring/accounts.ts'
import { authenticate } from '../../wiring/authenticate.ts'
import { tables } from '../../wiring/tables/tables.ts'
import * as apiKey from './api-key-routes.ts'
import { authMappingRoutes } from './auth-mapping-routes.ts'
import * as people from './people-routes.ts'
import * as route from './routes.ts'

const administration = { ...accounts, ...limitChecks((tenant) => tables.allFresh(tenant)) }
const users = administerUsers(accounts)
const apiKeys = administerApiKeys(accounts)

export const handler = endpointGroup({ authenticate }, [
  implement(people.pickPeople, ({ caller, query }) => pickPeople(accounts.store, caller, query)),

  implement(route.listUsers, ({ caller, query }) => users.list(caller.tenant, query)),
  implement(route.readUser, ({ caller, params }) => users.read(caller.tenant, params.id)),
  implement(route.createUser, ({ caller, body }) => users.create(caller, body)),
  implement(route.changeUser, ({ caller, params, body, ifMatch }) => users.change(caller, params.id, body, ifMatch)),
  implement(route.resetMfa, ({ caller, params }) => resetSecondFactor(accounts, caller, params.id)),
  implement(route.disableUser, ({ caller, params, ifMatch }) => users.disable(caller, params.id, ifMatch)),

  ...implementObject(route.roleRoutes, roleObjects, administration),

  ...implementObject(authMappingRoutes, authMappings, accounts),
  implement(apiKey.listApiKeys, ({ caller, query }) => apiKeys.list(caller.tenant, query)),
  implement(apiKey.createApiKey, ({ caller, body }) => apiKeys.create(caller, body)),
  implement(apiKey.endApiKey, ({ caller, params }) => apiKeys.end(caller, params.id)),
])

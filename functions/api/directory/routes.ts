import * as z from 'zod'
import {
  NewRoleBody,
  NewUserBody,
  RoleAnswer,
  RoleChangesBody,
  UserAnswer,
  UserChangesBody,
} from '../../../shared/accounts/schema.ts'
import { exampleTimes } from '../../../shared/platform/configured-objects/schema.ts'
import { listQuery } from '../../../shared/platform/http/paging/page-query.ts'
import {
  administrator,
  delegatedTokens,
  defineRoute,
  type Route,
  noContent,
} from '../../../shared/platform/http/routing/define-route.ts'
import { IdParam } from '../../../shared/platform/http/routing/input/path-params.ts'
import { objectRoutes } from '../../../shared/platform/http/routing/object-routes.ts'
import { apiKeyRoutes } from './api-key-routes.ts'
import { authMappingRoutes } from './auth-mapping-routes.ts'
import { peopleRoutes } from './people-routes.ts'

const params = z.object({ id: IdParam })
const permission = administrator

const ada = {
  id: 2,
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  roles: ['agent'],
  is_active: true,
  company_id: null,
  org_unit_ids: [],
  locale: 'en',
  mfa_enabled: false,
  ...exampleTimes,
  version: 1,
}
const grace = { ...ada, id: 3, name: 'Grace Hopper', email: 'grace@example.com' }
const ownOnly = {
  table: 'requests',
  action: 'update' as const,
  filter: { _or: [{ created_by: '$CURRENT_USER' }, { assigned_to: '$CURRENT_USER' }] },
}
const agent = {
  id: 3,
  name: 'agent',
  permissions: ['clients.*', 'requests.*', 'sys_companies.read'],
  rules: [],
  mfa_required: false,
  fields: {},
  ...exampleTimes,
  version: 1,
}
const requester = {
  name: 'requester',
  permissions: ['*.read', 'requests.create', 'requests.update'],
  rules: [ownOnly],
  fields: { requests: { write: ['title', 'description', 'status'] } },
}

export const listUsers = defineRoute({
  method: 'GET',
  path: '/api/sys/users',
  tag: 'Users',
  summary: 'List users',
  description: 'Newest first, including disabled users.',
  permission,
  query: listQuery(UserAnswer),
  answer: UserAnswer,
  shape: 'page',
  example: { query: { per_page: 25 }, answer: [ada] },
})

export const readUser = defineRoute({
  method: 'GET',
  path: '/api/sys/users/{id}',
  tag: 'Users',
  summary: 'Read a user',
  permission,
  params,
  answer: UserAnswer,
  example: { params: { id: 2 }, answer: ada },
})

export const createUser = defineRoute({
  method: 'POST',
  path: '/api/sys/users',
  tag: 'Users',
  summary: 'Create a user',
  description: 'The e-mail address must be unique in the deployment (422 on `email`).',
  permission,
  // It sets a password. Programs invite people: POST /api/tenant/invite.
  refusedTo: ['api_key'],
  body: NewUserBody,
  answer: UserAnswer,
  status: 201,
  example: {
    body: { name: grace.name, email: grace.email, password: 'nanoseconds of wire', roles: ['agent'], locale: 'en' },
    answer: grace,
  },
})

export const changeUser = defineRoute({
  method: 'PUT',
  path: '/api/sys/users/{id}',
  tag: 'Users',
  takesIfMatch: true,
  summary: 'Change a user',
  description:
    'Fields that are left out keep their values. `version`, when given, must be the current one (412). A new password and `is_active: false` revoke all tokens of the user. The last active administrator can neither be disabled nor lose the role (409).',
  permission,
  params,
  body: UserChangesBody,
  answer: UserAnswer,
  example: {
    params: { id: 2 },
    body: { roles: ['agent', 'user'] },
    answer: { ...ada, roles: ['agent', 'user'], version: 2 },
  },
})

export const disableUser = defineRoute({
  method: 'DELETE',
  path: '/api/sys/users/{id}',
  operationId: 'disableUser',
  tag: 'Users',
  takesIfMatch: true,
  summary: 'Disable a user',
  description:
    'Users are never deleted, because history refers to them. Disabling a user revokes all tokens; `is_active: true` enables the user again. The last active administrator cannot be disabled (409).',
  permission,
  params,
  ...noContent,
  example: { params: { id: 2 } },
})

export const resetMfa = defineRoute({
  method: 'DELETE',
  path: '/api/sys/users/{id}/mfa',
  operationId: 'resetUserMfa',
  tag: 'Users',
  summary: 'Remove the second factor of a user',
  description:
    'For somebody who lost the authenticator app and the recovery codes. Refused for a person who also belongs to other companies (422), and for yourself (403).',
  permission,
  refusedTo: delegatedTokens,
  params,
  ...noContent,
  example: { params: { id: 2 } },
})

export const roleRoutes = objectRoutes({
  path: '/api/sys/roles',
  tag: 'Roles',
  called: { one: 'role', many: 'roles' },
  answer: RoleAnswer,
  input: NewRoleBody,
  change: RoleChangesBody,
  params,
  says: {
    list: { summary: 'List roles' },
    create: {
      description:
        'The name must be unique (409). A rule with an unknown table, field or operator, or with a value of the wrong type, is 422 on its path, such as `rules.0.filter.priority` or `fields.requests.read.1`. A field that `fields` does not name for reading is left out of every answer, and 422 in filters, sorts and groups; one that it does not name for writing is 422 in writes.',
    },
    change: {
      summary: 'Change what a role allows',
      description:
        'Members that are left out keep their values. `version`, when given, must be the current one (412). The change takes effect from the next request of each user with the role. Of the role `admin` only `mfa_required` can be changed (409), and no role can be renamed (422).',
      example: {
        params: { id: 3 },
        body: { permissions: ['requests.*', 'clients.*'], rules: [] },
        answer: { ...agent, permissions: ['clients.*', 'requests.*'], rules: [], version: 2 },
      },
    },
    remove: {
      description: '422 (`in_use`) for a role that a user has and for the default role of new users; 409 for `admin`.',
      example: { params: { id: 4 } },
    },
  },
  examples: {
    create: { body: requester, answer: { ...agent, id: 4, ...requester } },
    stored: agent,
    change: {},
    id: 3,
  },
})

export const routes: readonly Route[] = [
  ...peopleRoutes,
  listUsers,
  readUser,
  createUser,
  changeUser,
  disableUser,
  resetMfa,
  ...Object.values(roleRoutes),
  ...Object.values(authMappingRoutes),
  ...apiKeyRoutes,
]

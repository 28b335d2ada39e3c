import * as z from 'zod'
import {
  NewRoleBody,
  NewUserBody,
  RoleAnswer,
  RoleChangesBody,
  UserAnswer,
  UserChangesBody,
} from '../../shared/auth/schema.ts'
import { IdParam, PageQuery } from '../../shared/http/paging/page-query.ts'
import { administrator, defineRoute, type Route } from '../../shared/http/routing/define-route.ts'

const params = z.object({ id: IdParam })
const permission = administrator

const ada = {
  id: 3,
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  roles: ['agent'],
  is_active: true,
  company_id: null,
  org_unit_ids: [],
  locale: 'en',
  created_at: '2026-11-20T07:17:00.000Z',
  updated_at: '2026-11-20T07:17:00.000Z',
  version: 1,
}
const ownOnly = {
  table: 'requests',
  action: 'update' as const,
  filter: { _or: [{ created_by: '$CURRENT_USER' }, { assigned_to: '$CURRENT_USER' }] },
}
const agent = {
  id: 3,
  name: 'agent',
  permissions: ['*.read', 'requests.create', 'requests.update'],
  rules: [ownOnly],
  version: 1,
}

export const listUsers = defineRoute({
  method: 'GET',
  path: '/api/sys/users',
  tag: 'Users',
  summary: 'List users',
  description: 'Newest first, disabled ones included.',
  permission,
  query: PageQuery,
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
  example: { params: { id: 3 }, answer: ada },
})

export const createUser = defineRoute({
  method: 'POST',
  path: '/api/sys/users',
  tag: 'Users',
  summary: 'Create a user',
  description: 'An e-mail address that anyone in the deployment has is 422 on `email`.',
  permission,
  body: NewUserBody,
  answer: UserAnswer,
  status: 201,
  example: {
    body: { name: ada.name, email: ada.email, password: 'brass gears 1843', roles: ['agent'], locale: 'en' },
    answer: ada,
  },
})

export const changeUser = defineRoute({
  method: 'PUT',
  path: '/api/sys/users/{id}',
  tag: 'Users',
  summary: 'Change a user',
  description:
    'What is left out stays; `version`, when given, must be the current one (409). A new password and `is_active: false` end all tokens of the user. The last active administrator cannot be disabled or lose the role (409).',
  permission,
  params,
  body: UserChangesBody,
  answer: UserAnswer,
  example: {
    params: { id: 3 },
    body: { roles: ['agent', 'user'] },
    answer: { ...ada, roles: ['agent', 'user'], version: 2 },
  },
})

export const disableUser = defineRoute({
  method: 'DELETE',
  path: '/api/sys/users/{id}',
  tag: 'Users',
  summary: 'Disable a user',
  description:
    'The user stays in history and lists, and can be enabled again with `is_active: true`; all tokens end. The last administrator stays (409).',
  permission,
  params,
  answer: z.undefined(),
  status: 204,
  example: { params: { id: 3 } },
})

export const listRoles = defineRoute({
  method: 'GET',
  path: '/api/sys/roles',
  tag: 'Roles',
  summary: 'List roles',
  description: 'Newest first.',
  permission,
  query: PageQuery,
  answer: RoleAnswer,
  shape: 'page',
  example: { answer: [agent] },
})

export const readRole = defineRoute({
  method: 'GET',
  path: '/api/sys/roles/{id}',
  tag: 'Roles',
  summary: 'Read a role',
  permission,
  params,
  answer: RoleAnswer,
  example: { params: { id: 3 }, answer: agent },
})

export const createRole = defineRoute({
  method: 'POST',
  path: '/api/sys/roles',
  tag: 'Roles',
  summary: 'Create a role',
  description:
    'A name that is taken is 409. A rule that names a table, field or operator that does not exist, or a value that does not fit, is 422 on its path, such as `rules.0.filter.priority`.',
  permission,
  body: NewRoleBody,
  answer: RoleAnswer,
  status: 201,
  example: { body: { name: agent.name, permissions: agent.permissions, rules: agent.rules }, answer: agent },
})

export const changeRole = defineRoute({
  method: 'PUT',
  path: '/api/sys/roles/{id}',
  tag: 'Roles',
  summary: 'Change what a role allows',
  description:
    'What is left out stays; `version`, when given, must be the current one (409). It takes effect with the next request of every user who has the role. The role `admin` cannot be changed (409), nor the name of any role (422).',
  permission,
  params,
  body: RoleChangesBody,
  answer: RoleAnswer,
  example: {
    params: { id: 3 },
    body: { permissions: ['requests.*'], rules: [] },
    answer: { ...agent, permissions: ['requests.*'], rules: [], version: 2 },
  },
})

export const deleteRole = defineRoute({
  method: 'DELETE',
  path: '/api/sys/roles/{id}',
  tag: 'Roles',
  summary: 'Delete a role',
  description: '409 while a user holds it, for the default role of new users, and for `admin`.',
  permission,
  params,
  answer: z.undefined(),
  status: 204,
  example: { params: { id: 3 } },
})

export const routes: readonly Route[] = [
  listUsers,
  readUser,
  createUser,
  changeUser,
  disableUser,
  listRoles,
  readRole,
  createRole,
  changeRole,
  deleteRole,
]

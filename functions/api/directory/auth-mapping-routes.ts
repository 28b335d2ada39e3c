import * as z from 'zod'
import { AuthMappingAnswer, AuthMappingChangesBody, NewAuthMappingBody } from '../../../shared/accounts/schema.ts'
import { exampleTimes } from '../../../shared/platform/configured-objects/schema.ts'
import { listQuery } from '../../../shared/platform/http/paging/page-query.ts'
import {
  administrator,
  defineRoute,
  type Route,
  noContent,
} from '../../../shared/platform/http/routing/define-route.ts'
import { IdParam } from '../../../shared/platform/http/routing/input/path-params.ts'

const tag = 'Sign-in at providers'
const params = z.object({ id: IdParam })
const permission = administrator
const staff = { id: 1, group: 'it-support', org_unit_id: 1, roles: ['agent'], ...exampleTimes, version: 1 }

export const listAuthMappings = defineRoute({
  method: 'GET',
  path: '/api/sys/auth-mappings',
  tag,
  summary: 'List mappings of groups',
  description: 'What members of groups at identity providers get when they sign in. Newest first.',
  permission,
  query: listQuery(AuthMappingAnswer),
  answer: AuthMappingAnswer,
  shape: 'page',
  example: { answer: [staff] },
})

export const createAuthMapping = defineRoute({
  method: 'POST',
  path: '/api/sys/auth-mappings',
  tag,
  summary: 'Map a group',
  description:
    'Who is in the group gets the organisational unit and the roles with the next sign-in at the provider, and loses them with the first sign-in after leaving the group. What an administrator gives by hand stays.',
  permission,
  body: NewAuthMappingBody,
  answer: AuthMappingAnswer,
  status: 201,
  example: {
    body: { group: 'service-desk', org_unit_id: 1, roles: ['agent'] },
    answer: { ...staff, id: 2, group: 'service-desk' },
  },
})

export const changeAuthMapping = defineRoute({
  method: 'PUT',
  path: '/api/sys/auth-mappings/{id}',
  tag,
  takesIfMatch: true,
  summary: 'Change the mapping of a group',
  description:
    'Members that are left out keep their values. `version`, when given, must be the current one (412). The change reaches each user with the next sign-in at the provider.',
  permission,
  params,
  body: AuthMappingChangesBody,
  answer: AuthMappingAnswer,
  example: { params: { id: 1 }, body: { roles: [] }, answer: { ...staff, roles: [], version: 2 } },
})

export const deleteAuthMapping = defineRoute({
  method: 'DELETE',
  path: '/api/sys/auth-mappings/{id}',
  tag,
  takesIfMatch: true,
  summary: 'Delete the mapping of a group',
  description: 'Users lose what the mapping gave them with their next sign-in at the provider.',
  permission,
  params,
  ...noContent,
  example: { params: { id: 1 } },
})

export const routes: readonly Route[] = [listAuthMappings, createAuthMapping, changeAuthMapping, deleteAuthMapping]

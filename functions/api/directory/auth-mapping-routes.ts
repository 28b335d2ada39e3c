import * as z from 'zod'
import { AuthMappingAnswer, AuthMappingChangesBody, NewAuthMappingBody } from '../../../shared/accounts/schema.ts'
import { exampleTimes } from '../../../shared/platform/configured-objects/schema.ts'
import { IdParam } from '../../../shared/platform/http/routing/input/path-params.ts'
import { objectRoutes } from '../../../shared/platform/http/routing/object-routes.ts'

const staff = { id: 1, group: 'it-support', org_unit_id: 1, roles: ['agent'], ...exampleTimes, version: 1 }

const { get: _get, ...four } = objectRoutes({
  path: '/api/sys/auth-mappings',
  tag: 'Sign-in at providers',
  called: { one: 'mapping of a group', many: 'mappings of groups' },
  answer: AuthMappingAnswer,
  input: NewAuthMappingBody,
  change: AuthMappingChangesBody,
  params: z.object({ id: IdParam }),
  neverWarns: true,
  says: {
    list: {
      summary: 'List mappings of groups',
      description: 'What members of groups at identity providers get when they sign in. Newest first.',
    },
    create: {
      summary: 'Map a group',
      description:
        'Who is in the group gets the organisational unit and the roles with the next sign-in at the provider, and loses them with the first sign-in after leaving the group. What an administrator gives by hand stays.',
    },
    change: {
      summary: 'Change the mapping of a group',
      description:
        'Members that are left out keep their values. `version`, when given, must be the current one (412). The change reaches each user with the next sign-in at the provider.',
    },
    remove: {
      summary: 'Delete the mapping of a group',
      description: 'Users lose what the mapping gave them with their next sign-in at the provider.',
    },
  },
  examples: {
    create: {
      body: { group: 'service-desk', org_unit_id: 1, roles: ['agent'] },
      answer: { ...staff, id: 2, group: 'service-desk' },
    },
    stored: staff,
    change: { roles: [] },
  },
})

/** Its list shows a mapping whole. */
export const authMappingRoutes = four

import * as z from 'zod'
import { maxGroupCharacters } from '../../../../kernel/limits/accounts.ts'
import { RoleNames } from '../../../account-fields.ts'

const Id = z.int().positive()
const members = {
  group: z
    .string()
    .trim()
    .min(1)
    .max(maxGroupCharacters)
    .meta({ description: 'A group as the identity provider names it; upper and lower case differ.' }),
  org_unit_id: Id.meta({ description: 'Id of a record of `sys_org_units`.' }),
  roles: RoleNames.meta({ description: 'Names of roles.' }),
}

export const NewAuthMappingBody = z.strictObject({ ...members, roles: members.roles.optional() })
export type NewAuthMapping = z.output<typeof NewAuthMappingBody>

/** Accepts a mapping as it was read: `id` is ignored. */
export const AuthMappingChangesBody = z.strictObject({
  id: z.int().optional(),
  version: z.int().optional().meta({ description: 'When given, it must be the current one (409).' }),
  group: members.group.optional(),
  org_unit_id: members.org_unit_id.optional(),
  roles: members.roles.optional(),
})
export type AuthMappingChanges = z.output<typeof AuthMappingChangesBody>

export const AuthMappingAnswer = z.object({ id: Id, ...members, version: z.int() })
/** What the members of a group at the identity provider get: an organisational unit, and roles. */
export type AuthMapping = z.output<typeof AuthMappingAnswer>

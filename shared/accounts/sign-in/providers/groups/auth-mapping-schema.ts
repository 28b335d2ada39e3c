import * as z from 'zod'
import { maxGroupCharacters } from '../../../../kernel/limits/accounts.ts'
import { readOnly, stamps } from '../../../../platform/configured-objects/schema.ts'
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

export const AuthMappingChangesBody = z.strictObject({
  ...readOnly,
  group: members.group.optional(),
  org_unit_id: members.org_unit_id.optional(),
  roles: members.roles.optional(),
})
export type AuthMappingChanges = z.output<typeof AuthMappingChangesBody>

export const AuthMappingAnswer = z.object({ id: Id, ...members, ...stamps })
export type AuthMappingAnswer = z.output<typeof AuthMappingAnswer>

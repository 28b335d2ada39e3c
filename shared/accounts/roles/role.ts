import * as z from 'zod'
import type { Grant } from '../../kernel/permissions.ts'
import type { Tenant } from '../../kernel/tenancy.ts'
import type { Config, ConfigName, ConfigRow, RowTimes } from '../../platform/store/config.ts'
import { FieldRules, RowRules } from '../access/schema.ts'
import { ordinaryRole } from './role-names.ts'

export const roleSequence = 'sys_roles'

const StoredRole = z.object({
  id: z.number(),
  permissions: z.array(z.string()),
  rules: RowRules.default([]),
  mfa_required: z.boolean().default(false),
  fields: FieldRules.default({}),
})

export interface Role extends Grant, RowTimes {
  readonly id: number
  readonly name: string
  /** Who has the role must have a second factor. */
  readonly mfaRequired: boolean
  readonly version: number
}

export function roleOf(row: ConfigRow): Role {
  const { mfa_required: mfaRequired, ...stored } = StoredRole.parse(row.doc)
  const { name, version, createdAt, updatedAt } = row
  return { name, version, createdAt, updatedAt, ...stored, mfaRequired }
}

export const roleRow = (role: Role): ConfigRow => ({
  name: role.name,
  version: role.version,
  createdAt: role.createdAt,
  doc: {
    id: role.id,
    permissions: role.permissions,
    ...(role.rules.length > 0 && { rules: role.rules }),
    ...(role.mfaRequired && { mfa_required: true }),
    ...(Object.keys(role.fields).length > 0 && { fields: role.fields }),
  },
})

/** Answers the roles with these names, out of all: for work on behalf of many users. Names without a role are left out. */
export async function findRoles(
  config: Pick<Config, 'list'>,
  tenant: Tenant,
  names: readonly string[],
): Promise<readonly Role[]> {
  return (await config.list(tenant, 'ROLE', roleOf)).filter(({ name }) => names.includes(name))
}

/** The same for one user. `besides`: rows that are asked for next, which are read in the same call. */
export async function findOwnRoles(
  config: Pick<Config, 'get' | 'readAhead'>,
  tenant: Tenant,
  names: readonly string[],
  besides: readonly ConfigName[],
): Promise<readonly Role[]> {
  const wanted = [...new Set(names)].sort()
  config.readAhead(tenant, [...wanted.map((name) => ['ROLE', name] as const), ...besides])
  const roles = await Promise.all(wanted.map((name) => config.get(tenant, 'ROLE', name, roleOf)))
  return roles.filter((role) => role !== undefined)
}

/** The permissions of several roles together. */
export const permissionsOf = (roles: readonly Pick<Role, 'permissions'>[]): readonly string[] =>
  [...new Set(roles.flatMap(({ permissions }) => permissions))].sort()

const DefaultRole = z.string().min(1)

/** The role of new users: the tenant's setting DEFAULT_ROLE, else `user`. */
export async function defaultRole(config: Pick<Config, 'get'>, tenant: Tenant): Promise<string> {
  return (await config.get(tenant, 'SETTING', 'DEFAULT_ROLE', ({ doc }) => DefaultRole.parse(doc))) ?? ordinaryRole
}

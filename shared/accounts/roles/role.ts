import * as z from 'zod'
import { byName } from '../../kernel/collections/own-members.ts'
import { type FieldErrors, Invalid } from '../../kernel/failures/faults.ts'
import { type Grant, tableActions } from '../../kernel/permissions.ts'
import type { Tenant, TenantRef } from '../../kernel/tenancy.ts'
import { thereIsNo } from '../../kernel/text/did-you-mean.ts'
import type { Config, ConfigName, ConfigRow, RowTimes } from '../../platform/store/config.ts'
import { FieldRules, RowRules } from '../access/schema.ts'

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

/** The role that passes every permission check. Every tenant has it, and it cannot be changed. */
export const administratorRole = 'admin'
/** The role of new users, unless the setting DEFAULT_ROLE names another. */
export const ordinaryRole = 'user'

export const roleNamePattern = /^[a-z][a-z0-9_-]{0,62}$/

export const roleNameShape =
  'Use at most 63 lower-case letters, digits, hyphens and underscores, beginning with a letter.'

/** `*`, `<table>.*`, `*.<action>` or `<name>.<action>`. */
export const permissionPattern = new RegExp(
  `^(?:\\*|\\*\\.(?:${tableActions.join('|')})|[a-z][a-z0-9_]{0,62}\\.(?:\\*|[a-z][a-z0-9_]{0,62}))$`,
)

export const permissionShape = `Write a permission as <table>.<action>, such as requests.read. Actions are ${tableActions.join(', ')} and *; *.read is for all tables, * for everything.`

/**
 * Runs a write that names roles, which its transaction checks. When it is refused, the Invalid also names each of these
 * roles that does not exist, by its path `roles.<n>` in the request.
 */
export async function namingUnknownRoles<T>(
  { config }: { readonly config: Pick<Config, 'listFresh'> },
  tenant: TenantRef,
  roles: readonly string[] | undefined,
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (!(error instanceof Invalid) || Object.keys(error.errors).length === 0 || !roles?.length) throw error
    const unknown = await unknownRoles({ config }, tenant, roles)
    if (Object.keys(unknown).length === 0) throw error
    const others = Object.entries(error.problems).filter(([path]) => !path.startsWith('roles.'))
    throw error.withErrors({ ...Object.fromEntries(others), ...unknown })
  }
}

/** The errors of roles that do not exist, by their paths `roles.<n>`. */
export async function unknownRoles(
  { config }: { readonly config: Pick<Config, 'listFresh'> },
  tenant: TenantRef,
  roles: readonly string[],
): Promise<FieldErrors> {
  const known = (await config.listFresh(tenant, 'ROLE')).map(({ name }) => name)
  const unknown: FieldErrors = byName()
  for (const [index, role] of roles.entries())
    if (!known.includes(role))
      unknown[`roles.${index}`] = [`The selected roles.${index} is invalid: ${thereIsNo('role', role, known)}`]
  return unknown
}

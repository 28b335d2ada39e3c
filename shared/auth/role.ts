import * as z from 'zod'
import type { Tenant } from '../tenancy.ts'
import type { Config, ConfigRow } from '../store/config.ts'
import { ordinaryRole } from './role-names.ts'

export const roleSequence = 'sys_roles'

const StoredRole = z.object({ id: z.number(), permissions: z.array(z.string()) })

/** Row rules (`rules`) join here when they come. */
export interface Role {
  readonly id: number
  readonly name: string
  readonly permissions: readonly string[]
  readonly version: number
}

export const roleOf = (row: ConfigRow): Role => ({ name: row.name, version: row.version, ...StoredRole.parse(row.doc) })

export const roleRow = (role: Role): ConfigRow => ({
  name: role.name,
  version: role.version,
  doc: { id: role.id, permissions: role.permissions },
})

/** What the named roles allow together; names that no longer exist allow nothing. */
export async function permissionsOf(config: Pick<Config, 'list'>, tenant: Tenant, names: readonly string[]): Promise<readonly string[]> {
  const roles = await config.list(tenant, 'ROLE', roleOf)
  const held = roles.filter(({ name }) => names.includes(name))
  return [...new Set(held.flatMap(({ permissions }) => permissions))].sort()
}

const DefaultRole = z.string().min(1)

/** The role of new users: the tenant's setting DEFAULT_ROLE. */
export async function defaultRole(config: Pick<Config, 'get'>, tenant: Tenant): Promise<string> {
  return (await config.get(tenant, 'SETTING', 'DEFAULT_ROLE', ({ doc }) => DefaultRole.parse(doc))) ?? ordinaryRole
}

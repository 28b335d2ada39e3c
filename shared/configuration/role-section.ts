import type { Accounts } from '../auth/accounts.ts'
import { changeRole, createRole } from '../auth/administer-roles.ts'
import { administratorRole } from '../auth/role-names.ts'
import { roleOf } from '../auth/role.ts'
import type { RoleConfiguration } from './schema.ts'
import type { Section } from './section.ts'

/** Roles, but for the administrator's, which is the same everywhere. */
export function roleSection(accounts: Accounts): Section<RoleConfiguration> {
  return {
    async read({ tenant }) {
      const roles = (await accounts.config.listFresh(tenant, 'ROLE')).map(roleOf).filter(({ name }) => name !== administratorRole)
      return new Map(roles.map(({ name, permissions }) => [name, { name, permissions: [...permissions] }]))
    },
    complete: ({ name, permissions }, before) => ({ name, permissions: [...new Set(permissions ?? before?.permissions ?? [])].sort() }),
    async check(_caller, documents) {
      const at = documents.findIndex(({ name }) => name === administratorRole)
      return at < 0 ? {} : { [`${at}.name`]: [`The role ${administratorRole} is the same in every tenant.`] }
    },
    async create(caller, role) {
      await createRole(accounts, caller, role)
    },
    async change(caller, { name, permissions }) {
      const row = await accounts.config.getFresh(caller.tenant, 'ROLE', name)
      if (row) await changeRole(accounts, caller, roleOf(row).id, { permissions })
    },
  }
}

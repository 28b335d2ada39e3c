import { checkLimits, permissionWarnings } from '../../../accounts/access/service.ts'
import {
  administratorRole,
  changeRole,
  createRole,
  fieldsOf,
  type RoleAdministration,
  roleOf,
} from '../../../accounts/service.ts'
import type { FieldErrors } from '../../../kernel/failures/faults.ts'
import type { Tables } from '../../../tables/tables/service.ts'
import type { RoleConfiguration } from '../schema.ts'
import type { Section } from './section.ts'
import { tablesToBe } from './tables-to-be.ts'

/** The roles of a configuration, by name, without the administrator's, which every tenant has. */
export function roleSection(
  accounts: Omit<RoleAdministration, 'checkLimits'>,
  tables: Pick<Tables, 'find' | 'all'>,
): Section<RoleConfiguration> {
  const administration: RoleAdministration = {
    ...accounts,
    checkLimits: async (tenant, limits, before) => checkLimits(await tables.all(tenant), limits, before),
  }

  return {
    async read({ tenant }) {
      const roles = (await accounts.config.listFresh(tenant, 'ROLE'))
        .map(roleOf)
        .filter(({ name }) => name !== administratorRole)
      return new Map(
        roles.map(({ name, permissions, rules, fields, mfaRequired }) => [
          name,
          {
            name,
            permissions: [...permissions],
            rules: [...rules],
            fields: fieldsOf(fields),
            mfa_required: mfaRequired,
          },
        ]),
      )
    },
    complete: ({ name, permissions, rules, fields, mfa_required }, before) => ({
      name,
      permissions: [...new Set(permissions ?? before?.permissions ?? [])].sort(),
      rules: rules ?? before?.rules ?? [],
      fields: fields ?? before?.fields ?? {},
      mfa_required: mfa_required ?? before?.mfa_required ?? false,
    }),
    async openCheck({ tenant }, existing, whole) {
      const found = await tablesToBe(tables, tenant, whole).all()
      const names = new Set(found.map(({ name }) => name))
      return async (role, index, warn) => {
        const errors: FieldErrors =
          role.name === administratorRole
            ? { name: [`The role ${administratorRole} is the same in every tenant.`] }
            : {}
        // In the order of the document, for the paths of the errors.
        const permissions = whole.roles?.[index]?.permissions ?? role.permissions
        permissionWarnings(names, permissions ?? [], 'permissions').forEach(warn)
        return { ...errors, ...(await checkLimits(found, { ...role, permissions }, existing.get(role.name))) }
      }
    },
    async create(author, role) {
      await createRole(administration, author, role)
    },
    async change(author, { name, permissions, rules, fields, mfa_required }) {
      const row = await accounts.config.getFresh(author.tenant, 'ROLE', name)
      if (row) await changeRole(administration, author, roleOf(row).id, { permissions, rules, fields, mfa_required })
    },
  }
}

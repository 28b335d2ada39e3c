import { checkLimits, limitChecks } from '../../../accounts/access/check-limits.ts'
import { permissionWarnings } from '../../../accounts/access/check-permissions.ts'
import { type RoleAdministration, roleObjects } from '../../../accounts/roles/administer-roles.ts'
import { administratorRole, type Role } from '../../../accounts/roles/role.ts'
import type { RoleInput } from '../../../accounts/schema.ts'
import type { FieldErrors } from '../../../kernel/failures/faults.ts'
import type { Tables } from '../../../tables/tables/read-tables.ts'
import type { RoleConfiguration } from '../schema.ts'
import { objectSection } from './object-section.ts'
import type { Section } from './section.ts'
import { tablesToBe } from './tables-to-be.ts'

/** The roles of a configuration, by name, without the administrator's, which every tenant has. */
export function roleSection(
  accounts: Omit<RoleAdministration, keyof ReturnType<typeof limitChecks>>,
  tables: Pick<Tables, 'find' | 'all'>,
): Section<RoleConfiguration> {
  const administration: RoleAdministration = { ...accounts, ...limitChecks((tenant) => tables.all(tenant)) }
  return objectSection<Role, RoleConfiguration, RoleInput, RoleAdministration>(roleObjects, administration, {
    documentsOf: (_, all) =>
      all
        .filter(({ name }) => name !== administratorRole)
        .map((role) => roleObjects.documentOf(role) as RoleConfiguration),
    complete(role, before) {
      const whole = roleObjects.complete(role, before)
      return { ...whole, permissions: [...new Set(whole.permissions)].sort() }
    },
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
  })
}

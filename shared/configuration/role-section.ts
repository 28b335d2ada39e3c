import { isDeepStrictEqual } from 'node:util'
import {
  administratorRole,
  changeRole,
  createRole,
  fieldsOf,
  type RoleAdministration,
  roleOf,
} from '../auth/service.ts'
import type { FieldErrors } from '../kernel/faults.ts'
import { checkLimits } from '../row-rules/service.ts'
import { type Tables, readTable } from '../tables/service.ts'
import type { RoleConfiguration, TableConfiguration } from './schema.ts'
import type { Section } from './section.ts'

/** The roles of a configuration, by name, without the administrator's, which every tenant has. */
export function roleSection(
  accounts: Omit<RoleAdministration, 'checkLimits'>,
  tables: Pick<Tables, 'allFresh'>,
): Section<RoleConfiguration> {
  const administration: RoleAdministration = {
    ...accounts,
    checkLimits: async (tenant, limits) => checkLimits(await tables.allFresh(tenant), limits),
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
    async check({ tenant }, documents, existing, whole) {
      const at = documents.findIndex(({ name }) => name === administratorRole)
      const errors: FieldErrors =
        at < 0 ? {} : { [`${at}.name`]: [`The role ${administratorRole} is the same in every tenant.`] }
      const found = new Map((await tables.allFresh(tenant)).map((table) => [table.name, table]))
      for (const document of whole.tables ?? []) found.set(document.name, tableToBe(document))
      for (const [index, { name, rules, fields }] of documents.entries()) {
        // A field that a role already names may have left its table since.
        const limits = isDeepStrictEqual(fields, existing.get(name)?.fields) ? { rules } : { rules, fields }
        Object.assign(errors, await checkLimits([...found.values()], limits, `${index}.`))
      }
      return errors
    },
    async create(caller, role) {
      await createRole(administration, caller, role)
    },
    async change(caller, { name, permissions, rules, fields, mfa_required }) {
      const row = await accounts.config.getFresh(caller.tenant, 'ROLE', name)
      if (row) await changeRole(administration, caller, roleOf(row).id, { permissions, rules, fields, mfa_required })
    },
  }
}

/** A table of the document, which may not exist yet, as filters see it. */
const tableToBe = ({ name, table_fields }: TableConfiguration) =>
  readTable({
    name,
    version: 1,
    doc: { id: 1, label: name, title_field: null, table_fields, automations: [], retired: [], slots: [] },
  })

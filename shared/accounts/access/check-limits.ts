import { isDeepStrictEqual } from 'node:util'
import { own } from '../../kernel/collections/own-members.ts'
import type { FieldErrors } from '../../kernel/failures/faults.ts'
import type { Warning } from '../../kernel/failures/warning.ts'
import { maxFieldRuleBytes, maxRowRuleBytes } from '../../kernel/limits/accounts.ts'
import type { FieldRules, Grant, RowRule } from '../../kernel/permissions.ts'
import type { Tenant } from '../../kernel/tenancy.ts'
import { didYouMean } from '../../kernel/text/did-you-mean.ts'
import { standardFieldsByName } from '../../lists/query/grammar/field.ts'
import { checkFilter } from '../../lists/query/grammar/restrictions.ts'
import { ErrorList } from '../../tables/tables/error-list.ts'
import type { Table } from '../../tables/tables/table.ts'
import { checkPermissions, permissionWarnings } from './check-permissions.ts'

/** The permissions of a role, with its row rules and field rules. */
export type Limits = Partial<Pick<Grant, 'permissions' | 'rules' | 'fields'>>

/**
 * The errors of a role against the current tables, by path: `permissions.0`, `rules.0.table`, `fields.requests.read.1`.
 * `at`: what the paths begin with. `before`: what the role has already, which is not checked again.
 */
export async function checkLimits(
  tables: readonly Table[],
  { permissions = [], rules = [], fields = {} }: Limits,
  before: Limits = {},
  at = '',
): Promise<FieldErrors> {
  const byName = new Map(tables.map((table) => [table.name, table]))
  return {
    ...checkPermissions(byName, permissions, `${at}permissions`, before.permissions ?? []),
    ...(await checkRules(byName, rules, `${at}rules`, before.rules ?? [])),
    ...checkFieldRules(byName, fields, `${at}fields`, before.fields ?? {}),
  }
}

/** What the administration of roles checks against the tables of a tenant, which `allTables` answers. */
export const limitChecks = (allTables: (tenant: Tenant) => Promise<readonly Table[]>) => ({
  checkLimits: async (tenant: Tenant, limits: Limits, before: Limits): Promise<FieldErrors> =>
    checkLimits(await allTables(tenant), limits, before),
  permissionWarnings: async (tenant: Tenant, permissions: readonly string[]): Promise<readonly Warning[]> =>
    permissionWarnings(new Set((await allTables(tenant)).map(({ name }) => name)), permissions, 'permissions'),
})

/** The errors of rules against the current tables, by path: `rules.0.table`, `rules.0.filter.priority`. */
async function checkRules(
  tables: ReadonlyMap<string, Table>,
  rules: readonly RowRule[],
  path: string,
  before: readonly RowRule[],
): Promise<FieldErrors> {
  const list = new ErrorList()
  if (Buffer.byteLength(JSON.stringify(rules)) > maxRowRuleBytes)
    list.add(path, `The ${path} may not be larger than 100 KB.`)
  for (const [index, rule] of rules.entries()) {
    const { table: name, filter } = rule
    // It was checked when it was added; a table, a field or an option may be gone since.
    if (before.some((earlier) => isDeepStrictEqual(earlier, rule))) continue
    const table = tables.get(name)
    const at = `${path}.${index}.table`
    if (table) await checkFilter(async (other) => tables.get(other), table, filter, list, `${path}.${index}.filter`)
    else
      list.add(
        at,
        `The selected ${at.replace(/^\d+\./, '')} is invalid: there is no table ${name}.${didYouMean(name, tables.keys())}`,
      )
  }
  return list.problems
}

/**
 * The errors of field rules against the current tables, by path: `fields.requests`, `fields.requests.read.1`. `tables`:
 * all tables by name.
 */
function checkFieldRules(
  tables: ReadonlyMap<string, Pick<Table, 'fieldsByName'>>,
  rules: FieldRules,
  path: string,
  before: FieldRules,
): FieldErrors {
  const list = new ErrorList()
  if (Buffer.byteLength(JSON.stringify(rules)) > maxFieldRuleBytes)
    list.add(path, `The ${path} may not be larger than 100 KB.`)
  for (const [name, limits] of Object.entries(rules)) {
    const table = tables.get(name)
    // What was named before was checked then; it may be gone since.
    const known = own(before, name)
    if (!table) {
      if (known) continue
      list.add(`${path}.${name}`, `There is no table ${name}.${didYouMean(name, tables.keys())}`)
      continue
    }
    for (const member of ['read', 'write'] as const)
      limits[member]?.forEach((field, index) => {
        if (table.fieldsByName.has(field) || known?.[member]?.includes(field)) return
        list.add(
          `${path}.${name}.${member}.${index}`,
          standardFieldsByName.has(field)
            ? `The field ${field} can always be read and never be set: leave it out.`
            : `There is no field ${field} in ${name}.${didYouMean(field, table.fieldsByName.keys())}`,
        )
      })
  }
  return list.problems
}

import type { FieldErrors } from '../../kernel/failures/faults.ts'
import type { Grant } from '../../kernel/permissions.ts'
import type { Table } from '../../tables/tables/table.ts'
import { checkFieldRules } from './check-field-rules.ts'
import { checkPermissions } from './check-permissions.ts'
import { checkRules } from './check-rules.ts'

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

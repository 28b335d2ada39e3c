import type { FieldErrors } from '../kernel/faults.ts'
import type { Grant } from '../kernel/permissions.ts'
import type { Table } from '../tables/service.ts'
import { checkFieldRules } from './check-field-rules.ts'
import { checkRules } from './check-rules.ts'

/** The row rules and field rules of a role. */
export type Limits = Partial<Pick<Grant, 'rules' | 'fields'>>

/**
 * The errors of a role's rules against the current tables, by path: `rules.0.table`, `fields.requests.read.1`. `at`:
 * what the paths begin with.
 */
export async function checkLimits(
  tables: readonly Table[],
  { rules = [], fields = {} }: Limits,
  at = '',
): Promise<FieldErrors> {
  const byName = new Map(tables.map((table) => [table.name, table]))
  return {
    ...(await checkRules(async (name) => byName.get(name), rules, `${at}rules`)),
    ...checkFieldRules(byName, fields, `${at}fields`),
  }
}

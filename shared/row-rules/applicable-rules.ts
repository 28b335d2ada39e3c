import { allows, type Grant, type RowRule } from '../kernel/tenancy.ts'

/**
 * The filters of which a record must pass one for `action`; undefined when nothing limits it. A role that grants the action
 * without a rule for it lifts the limits of the others. Where no role grants it (a writer who may not read), the rules of
 * all roles hold: a rule never opens anything.
 */
export function applicableFilters(
  { isAdministrator, grants }: { readonly isAdministrator: boolean; readonly grants: readonly Grant[] },
  table: string,
  action: RowRule['action'],
): readonly RowRule['filter'][] | undefined {
  if (isAdministrator) return undefined
  const filtersOf = ({ rules }: Grant): readonly RowRule['filter'][] =>
    rules.filter((rule) => rule.table === table && rule.action === action).map(({ filter }) => filter)
  const granting = grants.filter(({ permissions }) => allows(permissions, table, action))
  const filters = (granting.length > 0 ? granting : grants.filter((grant) => filtersOf(grant).length > 0)).map(
    filtersOf,
  )
  return filters.length === 0 || filters.some((of) => of.length === 0) ? undefined : filters.flat()
}

/** Limits a permission to the records of a table that match a filter (query grammar, contract §3). */
export interface RowRule {
  readonly table: string
  readonly action: 'read' | 'update' | 'delete'
  readonly filter: Readonly<Record<string, unknown>>
}

/** What one role allows: its permissions, and the row rules that limit them. */
export interface Grant {
  readonly permissions: readonly string[]
  readonly rules: readonly RowRule[]
}

/** What the roles of a user allow. */
export interface Rights {
  /** The permissions of all roles together. */
  readonly permissions: readonly string[]
  /** Permissions and row rules of each role. */
  readonly grants: readonly Grant[]
  /** Passes every permission and every row rule. */
  readonly isAdministrator: boolean
}

export type TableAction = 'read' | 'create' | 'update' | 'delete'

/**
 * Whether the holder of these rights may do `action` on `table`: `<table>.<action>`, `<table>.*`, `*.<action>` or `*`;
 * an administrator may do everything.
 */
export function mayOnTable(
  { isAdministrator, permissions }: Pick<Rights, 'isAdministrator' | 'permissions'>,
  table: string,
  action: TableAction,
): boolean {
  return isAdministrator || allows(permissions, table, action)
}

/** Whether one of these permissions includes `<table>.<action>`. */
export function allows(permissions: readonly string[], table: string, action: TableAction): boolean {
  const allowing = [`${table}.${action}`, `${table}.*`, `*.${action}`, '*']
  return permissions.some((permission) => allowing.includes(permission))
}

/**
 * The filters for `action`, of which a record must match at least one; undefined when no rule limits the action. A role
 * that grants the action without a rule lifts the limits of the others. Where no role grants it (somebody who may write
 * but not read), the rules of all roles apply.
 */
export function applicableFilters(
  { isAdministrator, grants }: Pick<Rights, 'isAdministrator' | 'grants'>,
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

import { own } from './collections/own-members.ts'

/** Limits a permission to the records of a table that match a filter (query grammar, contract §3). */
export interface RowRule {
  readonly table: string
  readonly action: 'read' | 'update' | 'delete'
  readonly filter: Readonly<Record<string, unknown>>
}

/** Limits a table to fields. Without `read` all are read; without `write` those of `read` are written. */
export interface FieldLimits {
  readonly read?: readonly string[]
  readonly write?: readonly string[]
}

/** The field rules of a role: limits by table. */
export type FieldRules = Readonly<Record<string, FieldLimits>>

/** What one role allows: its permissions, and the row rules and field rules that limit them. */
export interface Grant {
  readonly permissions: readonly string[]
  readonly rules: readonly RowRule[]
  readonly fields: FieldRules
}

/** What the roles of a user allow. */
export interface Rights {
  /** The permissions of all roles together. */
  readonly permissions: readonly string[]
  /** Permissions, row rules and field rules of each role. */
  readonly grants: readonly Grant[]
  /** Passes every permission, every row rule and every field rule. */
  readonly isAdministrator: boolean
}

/** What can be permitted on a table. */
export const tableActions = ['read', 'create', 'update', 'delete', 'comment', 'comment_internal'] as const
export type TableAction = (typeof tableActions)[number]

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

/**
 * Whether one of these permissions includes `<table>.<action>`. Whoever may update may comment, but not internally: who
 * may change a record is often the customer who made it.
 */
export function allows(permissions: readonly string[], table: string, action: TableAction): boolean {
  const allowing = [`${table}.${action}`, `${table}.*`, `*.${action}`, '*']
  if (action === 'comment') allowing.push(`${table}.update`, '*.update')
  return permissions.some((permission) => allowing.includes(permission))
}

/**
 * The filters for `action`, of which a record must match at least one; undefined when no rule limits the action. A role
 * that grants the action without a rule lifts the limits of the others. Where no role grants it (somebody who may write
 * but not read), the rules of all roles apply.
 */
export function applicableFilters(
  rights: Pick<Rights, 'isAdministrator' | 'grants'>,
  table: string,
  action: RowRule['action'],
): readonly RowRule['filter'][] | undefined {
  return unionOfLimits(rights, table, action, ({ rules }) => {
    const filters = rules.filter((rule) => rule.table === table && rule.action === action).map(({ filter }) => filter)
    return filters.length > 0 ? filters : undefined
  })
}

/**
 * The fields of a table that field rules leave for `action`, besides the standard ones; undefined when no rule limits
 * them. Roles combine as in `applicableFilters`.
 */
export function permittedFields(
  rights: Pick<Rights, 'isAdministrator' | 'grants'>,
  table: string,
  action: 'read' | 'create' | 'update',
): ReadonlySet<string> | undefined {
  const names = unionOfLimits(rights, table, action, ({ fields }) => {
    const { read, write = read } = own(fields, table) ?? {}
    return action === 'read' ? read : write
  })
  return names && new Set(names)
}

/** What the limits of all roles leave together; undefined when one role grants the action without a limit. */
function unionOfLimits<T>(
  { isAdministrator, grants }: Pick<Rights, 'isAdministrator' | 'grants'>,
  table: string,
  action: TableAction,
  limitOf: (grant: Grant) => readonly T[] | undefined,
): readonly T[] | undefined {
  if (isAdministrator) return undefined
  const granting = grants.filter(({ permissions }) => allows(permissions, table, action))
  const limits =
    granting.length > 0 ? granting.map(limitOf) : grants.map(limitOf).filter((limit) => limit !== undefined)
  return limits.length === 0 || limits.some((limit) => limit === undefined)
    ? undefined
    : limits.flatMap((limit) => limit ?? [])
}

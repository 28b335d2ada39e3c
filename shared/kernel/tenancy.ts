/** A customer of the deployment. Every store call carries one: there is no call without it. */
export interface Tenant {
  readonly id: number
  readonly slug: string
  readonly name: string
  /** Rises with every change of configuration; tells an instance that what it cached is old. */
  readonly configVersion: number
}

/** All that a key needs to know of a tenant. */
export type TenantRef = Pick<Tenant, 'id'>

/** A limit on what a permission reaches: only records of the table that match the filter (query grammar, contract §3). */
export interface RowRule {
  readonly table: string
  readonly action: 'read' | 'update' | 'delete'
  readonly filter: Readonly<Record<string, unknown>>
}

/** What one role allows: permissions, and the rules that narrow them down. */
export interface Grant {
  readonly permissions: readonly string[]
  readonly rules: readonly RowRule[]
}

/** In whose name records are seen: all that permissions and row rules are worked out of. */
export interface Viewer {
  readonly tenant: Tenant
  readonly userId: number
  /** What all roles allow together. */
  readonly permissions: readonly string[]
  /** The same role by role. */
  readonly grants: readonly Grant[]
  readonly isAdministrator: boolean
  readonly orgUnitIds: readonly number[]
}

/** Who sends this request: resolved from the token, checked against user, tenant and roles on every call. */
export interface Caller extends Viewer {
  readonly name: string
  readonly email: string
  readonly roles: readonly string[]
  readonly companyId: number | null
  readonly locale: string | null
  /** The number before the bar of the token in use. */
  readonly tokenNumber: number
  /** Present while an administrator acts as this user. */
  readonly impersonator?: { readonly id: number; readonly name: string }
}

export type TableAction = 'read' | 'create' | 'update' | 'delete'

/**
 * Whether the caller may do `action` on `table`: `<table>.<action>`, `<table>.*`, `*.<action>` or `*`; `admin` passes all.
 */
export function mayOnTable(
  caller: Pick<Caller, 'isAdministrator' | 'permissions'>,
  table: string,
  action: TableAction,
): boolean {
  return caller.isAdministrator || allows(caller.permissions, table, action)
}

/** Whether one of these permissions is, or covers, `<table>.<action>`. */
export function allows(permissions: readonly string[], table: string, action: TableAction): boolean {
  const allowing = [`${table}.${action}`, `${table}.*`, `*.${action}`, '*']
  return permissions.some((permission) => allowing.includes(permission))
}

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

/** Who sends this request: resolved from the token, checked against user, tenant and roles on every call. */
export interface Caller {
  readonly tenant: Tenant
  readonly userId: number
  readonly name: string
  readonly email: string
  readonly roles: readonly string[]
  readonly permissions: readonly string[]
  readonly isAdministrator: boolean
  readonly orgUnitIds: readonly number[]
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
export function mayOnTable(caller: Pick<Caller, 'isAdministrator' | 'permissions'>, table: string, action: TableAction): boolean {
  if (caller.isAdministrator) return true
  const allowing = [`${table}.${action}`, `${table}.*`, `*.${action}`, '*']
  return caller.permissions.some((permission) => allowing.includes(permission))
}

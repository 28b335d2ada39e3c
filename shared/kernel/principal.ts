import type { Rights } from './permissions.ts'
import type { Tenant } from './tenancy.ts'

/** For whom something is done, and as whom history, trail, jobs and commands record it. */
export interface Principal {
  readonly tenant: Tenant
  /** 0: the service itself, such as a timer. */
  readonly userId: number
  /** The administrator who acts as this user. */
  readonly impersonatorId?: number
  /** What acts, when it is not the user: `delete`, `import`, `process`, `restore`, `rule`, `script`. */
  readonly source?: string
}

/** A principal as a row names it: the tenant is in the row's key. */
export type PrincipalRef = Pick<Principal, 'userId' | 'impersonatorId'>

/** In whose eyes records are seen: a principal with all that permissions and row rules are decided by. */
export interface Viewer extends Principal, Rights {
  readonly orgUnitIds: readonly number[]
}

/** Who sends this request: resolved from the access token, checked against user, tenant and roles on every request. */
export interface Caller extends Viewer {
  readonly name: string
  readonly email: string
  readonly roles: readonly string[]
  readonly companyId: number | null
  readonly locale: string | null
  /** The number before the bar of the token in use. */
  readonly tokenNumber: number
  /** Present with `impersonatorId`. */
  readonly impersonatorName?: string
}

/** The rights of the service itself and of scripts: no permission and no row rule limits them. */
export const unrestricted: Rights & Pick<Caller, 'roles' | 'orgUnitIds'> = {
  permissions: [],
  grants: [],
  isAdministrator: true,
  roles: [],
  orgUnitIds: [],
}

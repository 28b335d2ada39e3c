import type { Rights } from './permissions.ts'
import type { Tenant } from './tenancy.ts'

/** On whose behalf something is done. History, trail, jobs and commands record it. */
export interface Principal {
  readonly tenant: Tenant
  /** 0 is the service itself, for example a timer. */
  readonly userId: number
  /** The administrator who impersonates this user. */
  readonly impersonatorId?: number
  /** What acts for the user, if anything does: `bulk`, `delete`, `import`, `macro`, `process`, `restore`, `rule`, `script`, `undo`. */
  readonly source?: string
}

/** A principal as a row stores it. Its tenant is in the key of the row. */
export type PrincipalRef = Pick<Principal, 'userId' | 'impersonatorId'>

/** A principal with the rights that decide which records and fields it may see and change. */
export interface Viewer extends Principal, Rights {
  readonly orgUnitIds: readonly number[]
}

/**
 * How a caller is signed in: `session`, the person by password; `provider_session`, a person for whom an identity
 * provider vouches that the operator trusts; `tenant_session`, one for whom the provider of a tenant vouches, so that it
 * is good for that tenant only; `impersonation`, an administrator as this user; `api_key`, a program.
 */
export type TokenKind = 'session' | 'provider_session' | 'tenant_session' | 'impersonation' | 'api_key'

/** Whether a token speaks for the person in all of the person's tenants. */
export const isWholePerson = (kind: TokenKind): boolean => kind === 'session' || kind === 'provider_session'

/** The viewer who sends a request. Every request resolves it again from token, user, tenant and roles. */
export interface Caller extends Viewer {
  readonly name: string
  /** null for a service user. */
  readonly email: string | null
  readonly roles: readonly string[]
  readonly companyId: number | null
  readonly locale: string | null
  /** The number of the token in use: the part before the bar. */
  readonly tokenNumber: number
  readonly tokenKind: TokenKind
  readonly mfaEnabled: boolean
  /** A role demands a second factor, which the person does not have: only setting one up is allowed. */
  readonly mustSetUpMfa: boolean
  /** Set together with `impersonatorId`. */
  readonly impersonatorName?: string
}

/** The rights of the service itself and of scripts, which no permission, row rule or field rule limits. */
export const unrestricted: Rights & Pick<Caller, 'roles' | 'orgUnitIds'> = {
  permissions: [],
  grants: [],
  isAdministrator: true,
  roles: [],
  orgUnitIds: [],
}

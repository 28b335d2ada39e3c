import type { Caller, Grant, Tenant } from '../kernel/tenancy.ts'
import type { Limited } from '../row-rules/service.ts'
import type { ScriptChain } from '../scripts/service.ts'

/** In whose name a record is written, and by what when it is no request of that user itself. */
export interface Actor {
  readonly tenant: Tenant
  readonly userId: number
  /** Undefined for work in the background: looked up when a script asks. */
  readonly name?: string
  readonly email?: string
  readonly roles: readonly string[]
  readonly isAdministrator: boolean
  readonly orgUnitIds?: readonly number[]
  /** What the roles allow: for work in the background undefined, which no row rule limits. */
  readonly grants?: readonly Grant[]
  readonly impersonatorId?: number
  /** `delete`, `import`, `process`, `rule`, `restore`, `script`. */
  readonly source?: string
  /** The scripts that led to this write. */
  readonly chain?: ScriptChain
  /** How many steps of processes led to it since somebody, or the time, did anything. */
  readonly hops?: number
}

export const actorOf = (caller: Caller): Actor => ({
  tenant: caller.tenant,
  userId: caller.userId,
  name: caller.name,
  email: caller.email,
  roles: caller.roles,
  isAdministrator: caller.isAdministrator,
  orgUnitIds: caller.orgUnitIds,
  grants: caller.grants,
  ...(caller.impersonator && { impersonatorId: caller.impersonator.id }),
})

/** Whom row rules limit: no script, and nothing that the service does by itself. */
export const limitedActor = ({ tenant, userId, orgUnitIds = [], isAdministrator, grants = [] }: Actor): Limited => ({
  tenant,
  userId,
  orgUnitIds,
  isAdministrator,
  grants,
})

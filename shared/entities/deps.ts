import type { Clock } from '../clock.ts'
import type { Store } from '../store/table.ts'
import type { Tables } from '../tables/service.ts'
import type { Caller, Tenant } from '../tenancy.ts'

/** What every operation on records works with. */
export interface EntityDependencies {
  readonly store: Store
  readonly tables: Tables
  readonly clock: Clock
}

/** In whose name a record is written, and by what when it is no request of that user itself. */
export interface Actor {
  readonly tenant: Tenant
  readonly userId: number
  readonly roles: readonly string[]
  readonly isAdministrator: boolean
  readonly impersonatorId?: number
  /** `delete`, `import`, `process`, `rule`, `restore`, `script`. */
  readonly source?: string
}

export const actorOf = (caller: Caller): Actor => ({
  tenant: caller.tenant,
  userId: caller.userId,
  roles: caller.roles,
  isAdministrator: caller.isAdministrator,
  ...(caller.impersonator && { impersonatorId: caller.impersonator.id }),
})

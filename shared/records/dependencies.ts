import type { Files } from '../files/service.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Caller, Grant, Tenant } from '../kernel/tenancy.ts'
import type { Relations } from '../relations/service.ts'
import type { Limited, RowAccess } from '../row-rules/row-access.ts'
import type { ScriptChain } from '../scripts/api/script-chain.ts'
import type { Store } from '../store/table.ts'
import type { Tables } from '../tables/service.ts'
import type { Hooks } from './hooks/hooked-operation.ts'

/** What every operation on records works with. */
export interface EntityDependencies {
  readonly store: Store
  readonly tables: Tables
  readonly clock: Clock
  /** What records hold of files. */
  readonly files: Pick<Files, 'check' | 'writes' | 'cleanUp'>
  /** A delete takes the record's links along. */
  readonly relations: Pick<Relations, 'linksOfRecord' | 'removeLinksOfRecord'>
  /** Which records an actor's row rules reach. */
  readonly access: RowAccess
  /** The scripts that administrators attached to tables. */
  readonly hooks: Hooks
  /** Processes stand above records: they are handed in. */
  readonly startProcess?: StartProcess
}

/** Starts a process for a record and answers its id; with the same `once` again, that of the first time. */
export type StartProcess = (actor: Actor, code: string, model: string, id: number, once: string) => Promise<number>

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

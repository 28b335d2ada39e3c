import type { RenamedTables } from './table-names.ts'

/** A customer of the deployment. Every call of the store takes one. */
export interface Tenant {
  readonly id: number
  readonly slug: string
  readonly name: string
  /** Rises with every change of configuration, so that instances notice when their cache is stale. */
  readonly configVersion: number
  /** When it rose last, in milliseconds since 1970 by the clock of who made the change; undefined when that is not known. */
  readonly configChangedAtMs?: number
  /** Set while the tenant is deleted: when its data will be removed (ISO). Until then it can be restored. */
  readonly deleteAt?: string
  /** Set until the administrator who registered it has proved to receive mail at the given address. */
  readonly awaitsVerification?: true
  /** Undefined while every table is called as it is stored. */
  readonly renamedTables?: RenamedTables
}

/** The part of a tenant that keys are built from. */
export type TenantRef = Pick<Tenant, 'id'>

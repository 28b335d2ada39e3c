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

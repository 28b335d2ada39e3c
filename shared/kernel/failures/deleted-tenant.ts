import type { Tenant } from '../tenancy.ts'
import { Fault } from './faults.ts'

/** Throws the fault `tenant_deleted`, which names the date of the removal, when the tenant is deleted. */
export function refuseDeletedTenant({ deleteAt }: Pick<Tenant, 'deleteAt'>): void {
  if (deleteAt !== undefined) throw tenantDeleted(deleteAt)
}

/** The fault of everything that a deleted tenant refuses. `deleteAt`: ISO time. */
export const tenantDeleted = (deleteAt: string): Fault =>
  new Fault(
    'tenant_deleted',
    `This company was deleted. Its data is removed on ${deleteAt.slice(0, 10)}; until then an administrator can restore it.`,
    { details: { delete_at: deleteAt } },
  )

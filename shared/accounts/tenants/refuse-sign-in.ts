import { refuseDeletedTenant } from '../../kernel/failures/deleted-tenant.ts'
import type { Tenant } from '../../kernel/tenancy.ts'
import type { Clock } from '../../kernel/time/clock.ts'
import { administratorRole } from '../roles/role.ts'

/** Whether a user may sign in to a tenant: to a deleted one only administrators may, until its removal is due. */
export const maySignIn = (
  clock: Pick<Clock, 'now'>,
  { deleteAt }: Pick<Tenant, 'deleteAt'>,
  { roles }: { readonly roles: readonly string[] },
): boolean => deleteAt === undefined || (roles.includes(administratorRole) && clock.now() < Date.parse(deleteAt))

/** Throws `tenant_deleted` when the user may not sign in to the tenant. */
export function refuseSignIn(
  clock: Pick<Clock, 'now'>,
  tenant: Pick<Tenant, 'deleteAt'>,
  user: { readonly roles: readonly string[] },
): void {
  if (!maySignIn(clock, tenant, user)) refuseDeletedTenant(tenant)
}

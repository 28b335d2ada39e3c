import { createTenantWithAdministrator, type NewTenant } from '../../../shared/accounts/people/create-tenant.ts'
import { Conflict } from '../../../shared/kernel/failures/faults.ts'
import { clock } from '../../../shared/kernel/time/clock.ts'
import { openClient } from '../../../shared/platform/store/client/open-client.ts'
import { createStore } from '../../../shared/platform/store/store.ts'

/**
 * Creates the first tenant of a deployment and its administrator. The local cloud uses it instead of an invitation.
 * Returns false when there is a tenant already.
 */
export async function makeFirstTenant(
  clientOptions: Record<string, unknown>,
  tableName: string,
  tenant: NewTenant & Required<Pick<NewTenant, 'administrator'>>,
): Promise<boolean> {
  const store = createStore(tableName, openClient(clientOptions))
  try {
    const administrator = { ...tenant.administrator, emailVerified: true } as const
    await createTenantWithAdministrator({ store, clock }, { ...tenant, administrator }, { first: true })
    return true
  } catch (error) {
    if (error instanceof Conflict) return false
    throw error
  }
}

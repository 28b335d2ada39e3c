import { createTenantWithAdministrator, type NewTenant } from '../../shared/auth/service.ts'
import { clock } from '../../shared/kernel/clock.ts'
import { Conflict } from '../../shared/kernel/faults.ts'
import { createStore, openClient } from '../../shared/store/table.ts'

/**
 * Makes the tenant of a fresh deployment and its administrator, for the local cloud, where nobody has to be invited first.
 * Answers false when the deployment has its tenant already.
 */
export async function makeFirstTenant(
  clientOptions: Record<string, unknown>,
  tableName: string,
  tenant: Required<NewTenant>,
): Promise<boolean> {
  const store = createStore(tableName, openClient(clientOptions))
  try {
    await createTenantWithAdministrator({ store, clock }, tenant, { first: true })
    return true
  } catch (error) {
    if (error instanceof Conflict) return false
    throw error
  }
}

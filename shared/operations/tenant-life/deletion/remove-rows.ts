import { leaveTenant } from '../../../accounts/people/membership/leave-tenant.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import type { Clock } from '../../../kernel/time/clock.ts'
import { type Key, keyOfItem } from '../../../platform/store/keys/key.ts'
import { deploymentWide, type Store } from '../../../platform/store/store.ts'
import type { TenantScan } from '../../../platform/store/tenant-scan.ts'

/**
 * Removes the tenant's rows of the page of the table after a key, except `kept`; a user's row after its person has left the tenant.
 * Answers how many it removed, and the key to continue after.
 */
export async function removeRows(
  services: { readonly store: Store; readonly clock: Clock; readonly scan: TenantScan },
  tenant: TenantRef,
  after: Readonly<Record<string, string>> | undefined,
  kept: readonly Key[],
): Promise<{ removed: number; after?: Readonly<Record<string, string>> }> {
  const { store, scan } = services
  const { items, last } = await scan(tenant, after)
  const found = items.filter(({ pk, sk }) => !kept.some((one) => one.pk === pk && one.sk === sk))
  for (const { kind, id, email } of found) {
    if (kind === 'user' && typeof email === 'string') await leaveTenant(services, tenant, { id: Number(id), email })
  }
  await store.writeMany(deploymentWide, [], found.map(keyOfItem))
  return { removed: found.length, ...(last && { after: last }) }
}

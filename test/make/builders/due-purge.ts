import { tenantKey } from '../../../shared/platform/store/keys/auth.ts'
import { belongsTo, keyOfItem } from '../../../shared/platform/store/keys/key.ts'
import type { TestService } from '../services/service.ts'
import { everyItem } from '../services/stores/whole-store.ts'

const longAgo = '2000-01-01T00:00:00.000Z'

/** Ends the thirty days of a deleted tenant: its removal and the open job of it are due. */
export async function bringPurgeForward(service: TestService, tenant: { readonly id: number }): Promise<void> {
  const past = (expression: string, values: Record<string, string>) => ({ change: { expression, values } })
  await service.store.write(tenant, { update: tenantKey(tenant), ...past('SET delete_at = :at', { ':at': longAgo }) })
  for (const item of await everyItem(service)) {
    if (!belongsTo(item, tenant) || item.job_kind !== 'tenant-purge' || item.s20 === undefined) continue
    await service.store.write(tenant, {
      update: keyOfItem(item),
      ...past('SET s20 = :due REMOVE lease_until', { ':due': String(item.s20).replace(/^[^#]+/, longAgo) }),
    })
  }
}

import { administratorRole, findUsersWithRole } from '../auth/service.ts'
import { type Clock, isoTime } from '../kernel/clock.ts'
import type { TenantRef } from '../kernel/tenancy.ts'
import { timeIds } from '../kernel/time-ids.ts'
import type { Store } from '../store/store.ts'
import { bellItem, type BellNotification } from './bell-row.ts'

/** So many administrators are told at most. */
const maxTold = 50

/** Notifies the administrators of tenants in the bell, about something that the service did by itself. */
export function administratorBell({ store, clock }: { readonly store: Store; readonly clock: Clock }) {
  const nextId = timeIds(clock)
  return async (
    tenant: TenantRef,
    said: Pick<BellNotification, 'title' | 'text' | 'model' | 'recordId'>,
  ): Promise<void> => {
    const administrators = await findUsersWithRole(store, tenant, [administratorRole], maxTold)
    await store.putMany(
      tenant,
      administrators.map(({ id }) =>
        bellItem(tenant, {
          ...said,
          id: nextId(),
          userId: id,
          url: null,
          category: 'system',
          createdAt: isoTime(clock.now()),
          runId: null,
        }),
      ),
    )
  }
}

import { findUsersWithRole } from '../../accounts/people/list-users.ts'
import { administratorRole } from '../../accounts/roles/role.ts'
import { maxAdministratorsTold } from '../../kernel/limits/messages.ts'
import type { TenantRef } from '../../kernel/tenancy.ts'
import type { Store } from '../../platform/store/store.ts'
import type { Notice } from './bell-row.ts'
import { type BellDependencies, ringBell } from './ring-bell.ts'

/**
 * Notifies the administrators of tenants in the bell, about something that the service did by itself; and others, who may know
 * less of it, with a text of their own.
 */
export function administratorBell(services: BellDependencies & { readonly store: Store }) {
  const { store, clock } = services
  return async (
    tenant: TenantRef,
    said: Pick<Notice, 'title' | 'text' | 'model' | 'recordId'>,
    others: readonly Pick<Notice, 'userId' | 'text'>[] = [],
  ): Promise<void> => {
    const administrators = await findUsersWithRole(store, tenant, [administratorRole], maxAdministratorsTold)
    const about = { ...said, key: clock.uuid(), createdAtMs: clock.now(), url: null, category: 'system' as const }
    const isTold = new Set(administrators.map(({ id }) => id))
    await ringBell(services, tenant, [
      ...administrators.map(({ id }) => ({ ...about, userId: id })),
      ...others.filter(({ userId }) => !isTold.has(userId)).map((other) => ({ ...about, ...other })),
    ])
  }
}

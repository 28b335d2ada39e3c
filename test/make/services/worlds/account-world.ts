import type { AccountDependencies } from '../../../../shared/accounts/dependencies.ts'
import { createTenantWithAdministrator } from '../../../../shared/accounts/people/create-tenant.ts'
import type { User } from '../../../../shared/accounts/people/user.ts'
import type { RoleAdministration } from '../../../../shared/accounts/roles/administer-roles.ts'
import type { Caller } from '../../../../shared/kernel/principal.ts'
import type { Tenant } from '../../../../shared/kernel/tenancy.ts'
import { createConfig } from '../../../../shared/platform/store/config.ts'
import { type FrozenClock, frozenClock } from '../../builders/frozen-clock.ts'
import { interruptedStore } from '../stores/interrupted-store.ts'
import { openSingleTable, type SingleTable } from '../stores/single-table.ts'

/** Accounts on an embedded DynamoDB, with one tenant and its administrator. */
export interface AccountWorld {
  readonly single: SingleTable
  readonly accounts: AccountDependencies & { readonly clock: FrozenClock }
  readonly tenant: Tenant
  readonly administrator: User
  /** The administrator as the caller of a request. */
  readonly caller: Caller
  /** The same accounts for a request that somebody else overtakes once: just before its first transaction. */
  overtaken(meanwhile: () => Promise<unknown>): AccountDependencies
}

/** The administration of roles whose tables nobody checks. */
export const uncheckedRoles = (accounts: AccountDependencies): RoleAdministration => ({
  ...accounts,
  checkLimits: async () => ({}),
  permissionWarnings: async () => [],
})

export async function openAccountWorld(): Promise<AccountWorld> {
  const single = await openSingleTable()
  const clock = frozenClock()
  const accounts = { store: single.store, clock, config: createConfig(single.store, clock) }
  const { tenant, administrator } = await createTenantWithAdministrator(accounts, {
    slug: 'acme',
    name: 'Acme',
    administrator: { name: 'Ada', email: 'ada@acme.test', password: 'brass gears 1843' },
  })
  return {
    single,
    accounts,
    tenant,
    administrator,
    caller: { tenant, userId: administrator.id } as Caller,
    overtaken(meanwhile) {
      const store = interruptedStore(single, 'TransactWriteItems', meanwhile)
      return { store, clock, config: createConfig(store, clock) }
    },
  }
}

import type { Clock } from '../kernel/time/clock.ts'
import type { Config } from '../platform/store/config.ts'
import type { Store } from '../platform/store/store.ts'

/** The dependencies of accounts, sessions and tenants. */
export interface AccountDependencies {
  readonly store: Store
  readonly config: Config
  readonly clock: Clock
}

import type { Clock } from '../../kernel/time/clock.ts'
import type { Config } from '../../platform/store/config.ts'
import type { Store } from '../../platform/store/store.ts'
import type { Tables } from '../../tables/tables/read-tables.ts'

export interface RelationDependencies {
  readonly store: Store
  readonly config: Config
  readonly tables: Pick<Tables, 'find' | 'all'>
  readonly clock: Clock
}

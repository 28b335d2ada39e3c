import { createAuthentication } from '../shared/auth/authenticate.ts'
import { clock } from '../shared/clock.ts'
import { createEntities } from '../shared/entities/service.ts'
import { environment } from '../shared/env.ts'
import { createConfig } from '../shared/store/config.ts'
import { createStore } from '../shared/store/table.ts'
import { createTables } from '../shared/tables/service.ts'

/** What the functions are put together from: one of each per instance. */
export function compose() {
  const store = createStore(environment().TABLE_NAME)
  const config = createConfig(store, clock)
  const tables = createTables({ store, config, clock })
  const entities = createEntities({ store, tables, clock })
  const authenticate = createAuthentication({ store, config, clock })
  return { clock, store, config, tables, entities, authenticate }
}

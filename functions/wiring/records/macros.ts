import { clock } from '../../../shared/kernel/time/clock.ts'
import { config } from '../platform/config.ts'
import { store } from '../platform/store.ts'
import { tables } from '../tables/tables.ts'

/** What finding a macro needs. */
export const macroDependencies = { store, config, tables, clock }

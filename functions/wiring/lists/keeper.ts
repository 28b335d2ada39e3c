import { clock } from '../../../shared/kernel/time/clock.ts'
import { createKeeper } from '../../../shared/lists/columns/keeper/keeper.ts'
import { store } from '../platform/store.ts'
import { tables } from '../tables/tables.ts'

/** Keeps the column index of tables in step with their records. */
export const keeper = createKeeper({ store, clock, tables })

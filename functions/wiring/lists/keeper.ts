import { createKeeper } from '../../../shared/columns/service.ts'
import { clock } from '../../../shared/kernel/clock.ts'
import { store } from '../store.ts'
import { tables } from '../tables.ts'

/** Keeps the column index of tables in step with their records. */
export const keeper = createKeeper({ store, clock, tables })

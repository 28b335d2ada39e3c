import { environment } from '../../../shared/kernel/runtime/environment.ts'
import { clock } from '../../../shared/kernel/time/clock.ts'
import { createColumns } from '../../../shared/lists/columns/reader/create-columns.ts'
import { store } from '../platform/store.ts'

/** The columns of tables in the memory of this function. */
export const columns = createColumns({ store, clock, budgetBytes: environment().COLUMN_MEMORY_MB * 1024 * 1024 })

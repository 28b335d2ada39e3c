import { clock } from '../../../shared/kernel/clock.ts'
import { environment } from '../../../shared/kernel/environment.ts'
import { createColumns } from '../../../shared/lists/columns/service.ts'
import { store } from '../store.ts'

/** The columns of tables in the memory of this function. */
export const columns = createColumns({ store, clock, budgetBytes: environment().COLUMN_MEMORY_MB * 1024 * 1024 })

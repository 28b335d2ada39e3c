import { createRowAccess } from '../../../shared/accounts/row-rules/service.ts'
import { clock } from '../../../shared/kernel/clock.ts'
import { createRowFilter } from '../../../shared/lists/query/service.ts'
import { orgTree } from '../org-tree.ts'
import { store } from '../store.ts'
import { tables } from '../tables.ts'
import { timeZone } from '../time-zone.ts'

/** Filters records that were read, in the grammar of lists. */
export const rowFilter = createRowFilter({ store, tables, clock, timeZone, orgTree })

/** Decides which records a caller may reach under row rules. */
export const rowAccess = createRowAccess({
  tables,
  rowFilter,
})

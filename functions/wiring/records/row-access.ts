import { createRowAccess } from '../../../shared/accounts/access/row-access.ts'
import { clock } from '../../../shared/kernel/time/clock.ts'
import { createConditions } from '../../../shared/lists/query/conditions/open-conditions.ts'
import { createRowFilter } from '../../../shared/lists/query/row-filter.ts'
import { store } from '../platform/store.ts'
import { orgTree } from '../tables/org-tree.ts'
import { tables } from '../tables/tables.ts'
import { timeZone } from '../time-zone.ts'

/** Filters records that were read, in the grammar of lists. */
export const rowFilter = createRowFilter({ store, tables, clock, timeZone, orgTree })

/** Tests the conditions of fields on records that are written. */
export const conditions = createConditions({ clock, timeZone, orgTree })

/** Decides which records a caller may reach under row rules. */
export const rowAccess = createRowAccess({
  tables,
  rowFilter,
})

import { clock } from '../../../shared/kernel/time/clock.ts'
import { createQueries } from '../../../shared/lists/query/service.ts'
import { store } from '../platform/store.ts'
import { orgTree } from '../tables/org-tree.ts'
import { tables } from '../tables/tables.ts'
import { timeZone } from '../time-zone.ts'
import { columns } from './columns.ts'

/** Lists, counts, groups and exports of records. */
export const queries = createQueries({ store, columns, tables, clock, timeZone, orgTree })

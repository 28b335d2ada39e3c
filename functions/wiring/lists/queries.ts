import { clock } from '../../../shared/kernel/clock.ts'
import { createQueries } from '../../../shared/lists/query/service.ts'
import { orgTree } from '../org-tree.ts'
import { store } from '../store.ts'
import { tables } from '../tables.ts'
import { timeZone } from '../time-zone.ts'
import { columns } from './columns.ts'

/** Lists, counts, groups and exports of records. */
export const queries = createQueries({ store, columns, tables, clock, timeZone, orgTree })

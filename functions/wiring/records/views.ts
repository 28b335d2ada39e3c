import { clock } from '../../../shared/kernel/time/clock.ts'
import { config } from '../platform/config.ts'
import { store } from '../platform/store.ts'
import { orgTree } from '../tables/org-tree.ts'
import { tables } from '../tables/tables.ts'
import { timeZone } from '../time-zone.ts'

/** What views need: they are checked by the grammar of lists, without columns. */
export const viewDependencies = { store, config, tables, clock, timeZone, orgTree }

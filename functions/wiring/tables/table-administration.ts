import { clock } from '../../../shared/kernel/time/clock.ts'
import { checkFilter as checkListFilter } from '../../../shared/lists/query/service.ts'
import { checkTableRules } from '../../../shared/lists/query/service.ts'
import { checkSource } from '../../../shared/scripts/service.ts'
import { administerTables, type CheckFilter } from '../../../shared/tables/tables/service.ts'
import { jobs } from '../jobs.ts'
import { config } from '../platform/config.ts'
import { store } from '../platform/store.ts'

/** Filters of rollups look at one table only, so no other is found. */
const checkFilter: CheckFilter = (table, filter, list, path) =>
  checkListFilter(async () => undefined, table, filter, list, path)

export const tableAdministration = administerTables({
  store,
  config,
  clock,
  jobs,
  checkScript: checkSource,
  checkFilter,
  checkConditions: checkTableRules,
})

import { clock } from '../../../shared/kernel/time/clock.ts'
import { checkTableRules } from '../../../shared/lists/query/conditions/check-table-rules.ts'
import { checkFilter as checkListFilter } from '../../../shared/lists/query/grammar/restrictions.ts'
import { checkSource } from '../../../shared/scripts/source/check-source.ts'
import { administerTables } from '../../../shared/tables/tables/administration/administer-tables.ts'
import type { CheckFilter } from '../../../shared/tables/tables/checks/check-rollups.ts'
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

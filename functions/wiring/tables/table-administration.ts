import { clock } from '../../../shared/kernel/time/clock.ts'
import { checkTableRules } from '../../../shared/lists/query/service.ts'
import { checkSource } from '../../../shared/scripts/service.ts'
import { administerTables } from '../../../shared/tables/tables/service.ts'
import { jobs } from '../jobs.ts'
import { config } from '../platform/config.ts'
import { store } from '../platform/store.ts'

export const tableAdministration = administerTables({
  store,
  config,
  clock,
  jobs,
  checkScript: checkSource,
  checkConditions: checkTableRules,
})

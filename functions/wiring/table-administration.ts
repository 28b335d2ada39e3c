import { clock } from '../../shared/kernel/clock.ts'
import { checkSource } from '../../shared/scripts/service.ts'
import { administerTables } from '../../shared/tables/tables/service.ts'
import { config } from './config.ts'
import { jobs } from './jobs.ts'
import { store } from './store.ts'

export const tableAdministration = administerTables({ store, config, clock, jobs, checkScript: checkSource })

import { createTables } from '../../../shared/tables/tables/service.ts'
import { config } from '../platform/config.ts'

export const tables = createTables(config)

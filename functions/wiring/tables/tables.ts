import { createTables } from '../../../shared/tables/tables/read-tables.ts'
import { config } from '../platform/config.ts'

export const tables = createTables(config)

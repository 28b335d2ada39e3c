import { createTables } from '../../shared/tables/tables/service.ts'
import { config } from './config.ts'

export const tables = createTables(config)

import type { Tenant } from '../../shared/kernel/tenancy.ts'
import { readTimeZone } from '../../shared/lists/query/grammar/time-zone.ts'
import { config } from './platform/config.ts'

export const timeZone = (tenant: Tenant): Promise<string> => readTimeZone(config, tenant)

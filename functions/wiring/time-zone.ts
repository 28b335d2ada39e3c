import type { Tenant } from '../../shared/kernel/tenancy.ts'
import { readTimeZone } from '../../shared/platform/settings/read-settings.ts'
import { config } from './platform/config.ts'

export const timeZone = (tenant: Tenant): Promise<string> => readTimeZone(config, tenant)

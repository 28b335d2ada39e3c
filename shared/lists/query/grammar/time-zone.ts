import type { Tenant } from '../../../kernel/tenancy.ts'
import { isTimeZone } from '../../../kernel/time/time-zone.ts'
import type { Config } from '../../../platform/store/config.ts'

/**
 * The tenant's time zone (setting `TIMEZONE`), in which its days begin; UTC unless the setting names an existing zone.
 */
export async function readTimeZone(config: Pick<Config, 'get'>, tenant: Tenant): Promise<string> {
  const stored = await config.get(tenant, 'SETTING', 'TIMEZONE', ({ doc }) => doc)
  return typeof stored === 'string' && isTimeZone(stored) ? stored : 'UTC'
}

import type { Tenant } from '../../kernel/tenancy.ts'
import type { Config } from '../../store/config.ts'

/** Where the tenant's days begin (setting `TIMEZONE`); UTC unless it names a zone that exists. */
export async function readTimeZone(config: Pick<Config, 'get'>, tenant: Tenant): Promise<string> {
  const stored = await config.get(tenant, 'SETTING', 'TIMEZONE', ({ doc }) => doc)
  return typeof stored === 'string' && isTimeZone(stored) ? stored : 'UTC'
}

function isTimeZone(name: string): boolean {
  try {
    Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

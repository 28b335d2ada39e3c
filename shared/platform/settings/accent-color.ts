import type { Tenant } from '../../kernel/tenancy.ts'
import type { Config } from '../store/config.ts'
import { storedSettings } from './read-settings.ts'

/** The accent color of a company in the web app, as the setting `ACCENT_COLOR` says; undefined when unset. */
export async function accentColor(config: Pick<Config, 'list'>, tenant: Tenant): Promise<string | undefined> {
  const value = (await storedSettings(config, tenant)).get('ACCENT_COLOR')?.value
  return value === undefined ? undefined : String(value)
}

import type { Tenant } from '../../kernel/tenancy.ts'
import type { Config } from '../store/config.ts'
import { storedSettings } from './read-settings.ts'

/** The names in a list with commas. */
export const namesIn = (text: string): readonly string[] =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')

/** The tables whose records may be followed by a link, as the setting `FOLLOW_TABLES` names them. */
export async function followedTables(config: Pick<Config, 'list'>, tenant: Tenant): Promise<ReadonlySet<string>> {
  const value = (await storedSettings(config, tenant)).get('FOLLOW_TABLES')?.value
  return new Set(typeof value === 'string' ? namesIn(value) : [])
}

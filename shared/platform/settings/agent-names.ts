import type { Tenant } from '../../kernel/tenancy.ts'
import type { Config } from '../store/config.ts'
import { storedSettings } from './read-settings.ts'

/** Whether the portal shows no names of those who answer, as the setting `PORTAL_AGENT_NAMES` says. */
export const hidesAgentNames = async (config: Pick<Config, 'list'>, tenant: Tenant): Promise<boolean> =>
  (await storedSettings(config, tenant)).get('PORTAL_AGENT_NAMES')?.value === 'hidden'

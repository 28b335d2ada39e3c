import type { Tenant } from '../../kernel/tenancy.ts'
import type { Config } from '../../platform/store/config.ts'
import { type IncomingAction, incomingActionOf } from './incoming-action.ts'

/** Every rule of a tenant, by id. */
export const rulesOf = (config: Pick<Config, 'list'>, tenant: Tenant): Promise<readonly IncomingAction[]> =>
  config.list(tenant, 'INCOMING_ACTION', incomingActionOf)

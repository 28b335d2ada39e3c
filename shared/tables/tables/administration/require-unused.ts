import { inUse } from '../../../kernel/failures/faults.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import type { Config } from '../../../platform/store/config.ts'
import { findUses, type Used } from './find-uses.ts'

/** Throws `in_use`, naming what names an object of the configuration, unless nothing does. */
export async function requireUnused(config: Pick<Config, 'listFresh'>, tenant: TenantRef, used: Used): Promise<void> {
  const uses = await findUses(config, tenant, used)
  if (uses.length > 0) throw inUse(`The ${used.kind} ${used.name} is in use. ${uses.join(' ')}`)
}

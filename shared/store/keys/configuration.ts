import type { TenantRef } from '../../kernel/tenancy.ts'
import { type Key, tenantPrefix } from './key.ts'

export type ConfigKind = 'TABLE' | 'RELATION' | 'ROLE' | 'SETTING' | 'PROCESS' | 'AUTH_MAPPING'

export const configPartition = (tenant: TenantRef): string => `${tenantPrefix(tenant)}CONFIG`
/** The start of every row of a kind. */
export const configPrefix = (kind: ConfigKind): string => `${kind}#`
export const configKey = (tenant: TenantRef, kind: ConfigKind, name: string): Key => ({
  pk: configPartition(tenant),
  sk: `${configPrefix(kind)}${name}`,
})

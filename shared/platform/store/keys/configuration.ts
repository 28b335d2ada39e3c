import type { ObjectKind } from '../../../kernel/object-kinds.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import { type Key, singleKey, tenantPrefix } from './key.ts'

/** The kinds of rows of a tenant's configuration: objects, and what is kept beside them. */
export type ConfigKind = ObjectKind | 'SETTING' | 'PROCESS' | 'NOTIFICATION_CODE'

export const configPartition = (tenant: TenantRef): string => `${tenantPrefix(tenant)}CONFIG`
/** The start of every row of a kind. */
export const configPrefix = (kind: ConfigKind): string => `${kind}#`
export const configKey = (tenant: TenantRef, kind: ConfigKind, name: string): Key => ({
  pk: configPartition(tenant),
  sk: `${configPrefix(kind)}${name}`,
})

/** The guard that one channel of a type is its default. */
export const defaultChannelKey = (tenant: TenantRef, type: string): Key =>
  singleKey(`${tenantPrefix(tenant)}U#sys_channels#default#${type}`)

/** The guard that one mailbox is the default. */
export const defaultMailboxKey = (tenant: TenantRef): Key => singleKey(`${tenantPrefix(tenant)}U#sys_mailboxes#default`)

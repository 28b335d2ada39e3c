import type { TenantRef } from '../../../kernel/tenancy.ts'
import { idText, type Key, tenantPrefix } from './key.ts'

/** What a user snoozed: an item a table. */
export const snoozesPartition = (tenant: TenantRef, userId: number): string =>
  `${tenantPrefix(tenant)}SNOOZES#${userId}`
export const snoozesKey = (tenant: TenantRef, userId: number, model: string): Key => ({
  pk: snoozesPartition(tenant, userId),
  sk: model,
})

/** The private views of a user. Shared ones are rows of the tenant's configuration. */
export const privateViewPartition = (tenant: TenantRef, userId: number): string =>
  `${tenantPrefix(tenant)}VIEWS#${userId}`
export const privateViewKey = (tenant: TenantRef, userId: number, id: number): Key => ({
  pk: privateViewPartition(tenant, userId),
  sk: idText(id),
})

import type { TenantRef } from '../../../../kernel/tenancy.ts'
import { type Key, singleKey, tenantPrefix, timeIdText } from '../key.ts'

/** Notifications of a user. */
export const bellPartition = (tenant: TenantRef, userId: number): string => `${tenantPrefix(tenant)}BELL#${userId}`
export const bellKey = (tenant: TenantRef, userId: number, id: number): Key => ({
  pk: bellPartition(tenant, userId),
  sk: bellSort(id),
})
/** The sort key of a notification: newest last. */
export const bellSort = timeIdText

/** What is counted of a user's notifications. */
export const bellStateKey = (tenant: TenantRef, userId: number): Key =>
  singleKey(`${tenantPrefix(tenant)}BELLSTATE#${userId}`)

/** Where a user wants to receive notifications. */
export const preferencesKey = (tenant: TenantRef, userId: number): Key =>
  singleKey(`${tenantPrefix(tenant)}PREFERENCES#${userId}`)

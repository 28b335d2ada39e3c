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

/** How many notices of a user wait to leave together in one way, and in which batch. */
export const heldKey = (tenant: TenantRef, userId: number, type: string): Key =>
  singleKey(`${tenantPrefix(tenant)}HELD#${userId}#${type}`)
/** The notices of a batch, by the intents that hold them. `batch`: the uuid of its own intent. */
export const heldPartition = (tenant: TenantRef, batch: string): string => `${tenantPrefix(tenant)}HELDIN#${batch}`
export const heldNoticeKey = (tenant: TenantRef, batch: string, notice: string): Key => ({
  pk: heldPartition(tenant, batch),
  sk: notice,
})

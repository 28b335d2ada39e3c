import type { TenantRef } from '../../../kernel/tenancy.ts'
import { bucketKey, idKey, idText, type Key, singleKey, tenantPrefix } from './key.ts'

/** A request that was sent in the portal. */
export const portalRequestKey = (tenant: TenantRef, id: number): Key => bucketKey(`${tenantPrefix(tenant)}PORTAL`, id)

/** The requests that a person sent or follows. */
export const portalListPartition = (tenant: TenantRef, userId: number): string =>
  `${tenantPrefix(tenant)}PORTALOF#${userId}`
export const portalListKey = (tenant: TenantRef, userId: number, id: number): Key =>
  idKey(portalListPartition(tenant, userId), id)

/** The request that a record is. */
export const portalRecordKey = (tenant: TenantRef, model: string, id: number): Key =>
  singleKey(`${tenantPrefix(tenant)}PORTALREC#${model}#${id}`)

/** What people say of an article: a row a person, and how many say so. */
const votesPartition = (tenant: TenantRef, articleId: number): string => `${tenantPrefix(tenant)}VOTES#${articleId}`
/** The votes on an article, one a person. */
export const articleVotesRange = (tenant: TenantRef, articleId: number) => ({
  pk: votesPartition(tenant, articleId),
  prefix: 'BY#',
})
export const articleVoteKey = (tenant: TenantRef, articleId: number, userId: number): Key => ({
  pk: votesPartition(tenant, articleId),
  sk: `BY#${idText(userId)}`,
})
export const articleCountKey = (tenant: TenantRef, articleId: number): Key => ({
  pk: votesPartition(tenant, articleId),
  sk: 'COUNT',
})

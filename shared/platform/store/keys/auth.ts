import type { TenantRef } from '../../../kernel/tenancy.ts'
import { idKey, type Key, keyHash, singleKey, tenantPrefix, timeIdText } from './key.ts'

export const tenantKey = (tenant: TenantRef): Key => singleKey(`TENANT#${tenant.id}`)
export const slugKey = (slug: string): Key => singleKey(`SLUG#${slug}`)
/** `email` in lower case. */
export const emailKey = (email: string): Key => singleKey(`EMAIL#${email}`)
export const tokenKey = (number: number): Key => singleKey(`TOKEN#${number}`)
/** A link of a mail: password reset, e-mail verification. */
export const accountLinkKey = (secretHash: string): Key => singleKey(`LINK#${secretHash}`)
/** The attempts to send a mail of an account. */
export const accountMailKey = (id: string): Key => singleKey(`MAIL#${id}`)
/** The second step of a sign-in. */
export const mfaChallengeKey = (secretHash: string): Key => singleKey(`MFA#${secretHash}`)
export const invitationSecretKey = (secretHash: string): Key => singleKey(`JOIN#${secretHash}`)
export const loginThrottleKey = (email: string, address: string): Key =>
  singleKey(`THROTTLE#${keyHash(`${email}\n${address}`)}`)
/** What a network has used of a budget. */
export const networkBudgetKey = (budget: string, network: string): Key =>
  singleKey(`BUDGET#${keyHash(`${budget}\n${network}`)}`)
/** The requests of a tenant in one period. */
export const requestCountKey = (tenant: TenantRef, period: number): Key =>
  singleKey(`${tenantPrefix(tenant)}REQUESTS#${period}`)
/** The claim of a tenant on an identity provider: tokens of this issuer for this audience are its own. */
export const identityProviderKey = (issuer: string, audience: string): Key =>
  singleKey(`PROVIDER#${keyHash(`${issuer}\n${audience}`)}`)
/** A token of an identity provider that has signed in. */
export const usedTokenKey = (issuer: string, tokenId: string): Key =>
  singleKey(`USED#${keyHash(`${issuer}\n${tokenId}`)}`)
/** A sign-in that is on its way through a provider, and one that an app may finish. Both by the hash of a secret. */
export const signInStateKey = (secretHash: string): Key => singleKey(`STATE#${secretHash}`)
export const signInCodeKey = (secretHash: string): Key => singleKey(`CODE#${secretHash}`)

export const tenantSequenceKey: Key = { pk: 'SEQ', sk: 'tenants' }
export const firstTenantKey: Key = { pk: 'DEPLOYMENT', sk: 'first-tenant' }

export const userPartition = (tenant: TenantRef): string => `${tenantPrefix(tenant)}USERS`
export const groupGrantsKey = (tenant: TenantRef, userId: number): Key => idKey(`${tenantPrefix(tenant)}GROUPS`, userId)
export const userKey = (tenant: TenantRef, id: number): Key => idKey(userPartition(tenant), id)
/** The users for whom a user stands in. */
export const substitutePartition = (tenant: TenantRef, substituteId: number): string =>
  `${tenantPrefix(tenant)}SUBSTITUTES#${substituteId}`
export const substituteKey = (tenant: TenantRef, substituteId: number, userId: number): Key =>
  idKey(substitutePartition(tenant, substituteId), userId)
/** The user of a chat with a bot. */
export const messengerChatKey = (tenant: TenantRef, chatId: string): Key =>
  singleKey(`${tenantPrefix(tenant)}CHAT#${keyHash(chatId)}`)
/** A code that links a chat, by its hash. */
export const messengerCodeKey = (tenant: TenantRef, codeHash: string): Key =>
  singleKey(`${tenantPrefix(tenant)}CHATCODE#${codeHash}`)
export const apiKeyPartition = (tenant: TenantRef): string => `${tenantPrefix(tenant)}APIKEYS`
export const apiKeyKey = (tenant: TenantRef, id: number): Key => idKey(apiKeyPartition(tenant), id)
export const invitationPartition = (tenant: TenantRef): string => `${tenantPrefix(tenant)}INVITATIONS`
export const invitationKey = (tenant: TenantRef, id: number): Key => idKey(invitationPartition(tenant), id)
/** The sessions of a user. */
export const sessionPartition = (tenant: TenantRef, userId: number): string =>
  `${tenantPrefix(tenant)}SESSIONS#${userId}`
export const sessionKey = (tenant: TenantRef, userId: number, tokenNumber: number): Key => ({
  pk: sessionPartition(tenant, userId),
  sk: timeIdText(tokenNumber),
})
/** In the person slot: rows under secrets that belong to a user, and those that name a mail address. */
export const ownedPartition = (tenant: TenantRef, userId: number): string => `${tenantPrefix(tenant)}OWNED#${userId}`
export const addressedPartition = (email: string): string => `ADDRESSED#${keyHash(email.toLowerCase())}`
export const roleUseKey = (tenant: TenantRef, role: string): Key => ({ pk: `${tenantPrefix(tenant)}ROLEUSE`, sk: role })

import type { TenantRef } from '../../../../kernel/tenancy.ts'
import { type Key, keyHash, singleKey, tenantPrefix } from '../key.ts'

/** The bot that calls with a secret, by the hash of it. It belongs to no tenant, because it finds the tenant. */
export const botSecretKey = (secretHash: string): Key => singleKey(`BOTHOOK#${secretHash}`)
/** The registration of the webhook of an incoming channel; 0 is the bot of the settings. */
export const botWebhookKey = (tenant: TenantRef, channelId: number): Key =>
  singleKey(`${tenantPrefix(tenant)}BOTHOOK#${channelId}`)
/** The bot by which a chat wrote last. */
export const chatBotKey = (tenant: TenantRef, chatId: string): Key =>
  singleKey(`${tenantPrefix(tenant)}CHATBOT#${keyHash(chatId)}`)

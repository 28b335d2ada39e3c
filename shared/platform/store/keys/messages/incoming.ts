import type { TenantRef } from '../../../../kernel/tenancy.ts'
import {
  bucketKey,
  idKey,
  idText,
  type Key,
  keyHash,
  shardOf,
  shardsOf,
  singleKey,
  tenantPrefix,
  timeIdText,
} from '../key.ts'

const messages = (tenant: TenantRef): string => `${tenantPrefix(tenant)}MSG`
/** An incoming message: who sent it, and what became of it. */
export const messageKey = (tenant: TenantRef, id: number): Key => bucketKey(messages(tenant), id)
/** What an incoming message says. */
export const messageContentKey = (tenant: TenantRef, id: number): Key => bucketKey(`${messages(tenant)}C`, id)
/** Says that a message was taken. `once`: what its channel knows it by. */
export const messageOnceKey = (tenant: TenantRef, once: string): Key =>
  singleKey(`${messages(tenant)}K#${keyHash(once)}`)

/** The mail that came in with a `Message-ID`. */
export const mailIdKey = (tenant: TenantRef, mailId: string): Key =>
  singleKey(`${messages(tenant)}I#${keyHash(mailId)}`)

/** The messages that belong to a record: those that made it, and replies. */
export const messageLinksPartition = (tenant: TenantRef, model: string, recordId: number): string =>
  `${messages(tenant)}L#${model}#${recordId}`
export const messageLinkKey = (tenant: TenantRef, model: string, recordId: number, messageId: number): Key =>
  idKey(messageLinksPartition(tenant, model, recordId), messageId)

/** The source that a token belongs to, by the hash of the token. It names the tenant, so it is deployment-wide. */
export const inboundTokenKey = (tokenHash: string): Key => singleKey(`INBOUND#${tokenHash}`)

/** What incoming messages are listed by. */
export type MessageGroup =
  | { readonly isProcessed: boolean }
  | { readonly channel: string }
  | { readonly sender: string }
const messageGroup = (tenant: TenantRef, group: MessageGroup): string => {
  if ('isProcessed' in group) return `${messages(tenant)}#P#${group.isProcessed ? 1 : 0}`
  if ('channel' in group) return `${messages(tenant)}#C#${group.channel}`
  return `${messages(tenant)}#F#${keyHash(group.sender)}`
}
export const messagePartitions = (tenant: TenantRef, group: MessageGroup): readonly string[] =>
  shardsOf(messageGroup(tenant, group))
/** The one of `messagePartitions` that holds a message. */
export const messagePartitionOf = (tenant: TenantRef, group: MessageGroup, id: number): string =>
  shardOf(messageGroup(tenant, group), id)
/** The sort key of a message in these partitions: newest last. */
export const messageSort = idText

/** The messages of a conversation whose rules have not run yet. */
export const waitingMessagesPartition = (tenant: TenantRef, conversation: string): string =>
  `${messages(tenant)}#W#${keyHash(conversation)}`
/** The sort key of a message there. `position`: its place in the conversation, at most sixteen digits. */
export const waitingMessageSort = (position: number, id: number): string => `${timeIdText(position)}#${idText(id)}`

/** Guards a write that the script of a rule made for a message. */
export const ruleEffectKey = (tenant: TenantRef, messageId: number, effect: string): Key => ({
  pk: `${messages(tenant)}X#${messageId}`,
  sk: effect,
})

import type { TenantRef } from '../../../../kernel/tenancy.ts'
import {
  bucketKey,
  dueKey,
  duePartitions,
  type Key,
  keyHash,
  shardOf,
  shardsOf,
  singleKey,
  tenantPrefix,
  versionText,
} from '../key.ts'

/** A send that was asked for, until it is expanded to deliveries. */
export const intentKey = (tenant: TenantRef, uuid: string): Key => singleKey(`${tenantPrefix(tenant)}DI#${uuid}`)

/**
 * In the person slot: the intents with one recipient, by it, and those with several. Case and spaces around an address make
 * no difference.
 */
export const intentsToPartition = (tenant: TenantRef, recipient: string): string =>
  `${tenantPrefix(tenant)}DITO#${keyHash(recipient.trim().toLowerCase())}`
export const intentsToManyPartitions = (tenant: TenantRef): readonly string[] =>
  shardsOf(`${tenantPrefix(tenant)}DITOMANY`)
export const intentsToManyPartition = (tenant: TenantRef, uuid: string): string =>
  shardOf(`${tenantPrefix(tenant)}DITOMANY`, Number.parseInt(uuid.slice(0, 1), 16))

const deliveries = (tenant: TenantRef): string => `${tenantPrefix(tenant)}DL`
export const deliveryKey = (tenant: TenantRef, id: number): Key => bucketKey(deliveries(tenant), id)
export const attemptsPartition = (tenant: TenantRef, deliveryId: number): string =>
  `${tenantPrefix(tenant)}DA#${deliveryId}`
export const attemptKey = (tenant: TenantRef, deliveryId: number, n: number): Key => ({
  pk: attemptsPartition(tenant, deliveryId),
  sk: versionText(n),
})
/** What decides whether a channel may send now. Channels that settings make have the id 0, and their type for a name. */
export const channelGateKey = (tenant: TenantRef, { id, type }: { readonly id: number; readonly type: string }): Key =>
  singleKey(`${tenantPrefix(tenant)}GATE#${id || type}`)

/** The secret that signs the ids in mails about records. */
export const threadKeyKey = (tenant: TenantRef): Key => singleKey(`${tenantPrefix(tenant)}THREADKEY`)

/** What a channel sent lately, and what one of its recipients got. */
export const paceKey = (
  tenant: TenantRef,
  { id, type }: { readonly id: number; readonly type: string },
  recipient?: string,
): Key =>
  singleKey(`${tenantPrefix(tenant)}PACE#${id || type}${recipient === undefined ? '' : `#${keyHash(recipient)}`}`)

/** The automatic answers that an address had within the last hour. */
export const answersKey = (tenant: TenantRef, address: string): Key =>
  singleKey(`${tenantPrefix(tenant)}ANSWERS#${keyHash(address)}`)

/** What deliveries are listed by, besides their record. */
export type DeliveryGroup = { readonly status: string } | { readonly channelId: number }
const deliveryGroup = (tenant: TenantRef, group: DeliveryGroup): string =>
  'status' in group ? `${deliveries(tenant)}#S#${group.status}` : `${deliveries(tenant)}#C#${group.channelId}`
export const deliveryPartitions = (tenant: TenantRef, group: DeliveryGroup): readonly string[] =>
  shardsOf(deliveryGroup(tenant, group))
/** The one of `deliveryPartitions` that holds a delivery. */
export const deliveryPartitionOf = (tenant: TenantRef, group: DeliveryGroup, id: number): string =>
  shardOf(deliveryGroup(tenant, group), id)
export const deliveriesOfRecordPartition = (tenant: TenantRef, model: string, recordId: number): string =>
  `${deliveries(tenant)}#R#${model}#${recordId}`

/** Intents of all tenants that were not expanded yet. */
export const intentDuePartitions = duePartitions('intent')
export const intentDueKey = (dueAt: string, tenant: TenantRef, uuid: string): Key =>
  dueKey(intentDuePartitions, Number.parseInt(uuid.slice(0, 1), 16), dueAt, `${tenant.id}#${uuid}`)
/** Parses a sort key of `intentDuePartitions`; undefined for any other. */
export function parseIntentDue(sort: string): { tenant: TenantRef; uuid: string } | undefined {
  const match = /#(\d+)#([0-9a-f-]{36})$/.exec(sort)
  return match ? { tenant: { id: Number(match[1]) }, uuid: match[2] as string } : undefined
}

/** Deliveries of all tenants that have not ended, by the time at which they are looked at again. */
export const deliveryDuePartitions = duePartitions('delivery')
export const deliveryDueKey = (
  dueAt: string,
  tenant: TenantRef,
  channel: { readonly id: number; readonly type: string },
  id: number,
): Key => dueKey(deliveryDuePartitions, id, dueAt, `${tenant.id}#${channel.type}#${channel.id}#${id}`)
/** Parses a sort key of `deliveryDuePartitions`; undefined for any other. */
export function parseDeliveryDue(sort: string):
  | {
      readonly dueAt: string
      readonly tenant: TenantRef
      readonly channel: { readonly id: number; readonly type: string }
      readonly id: number
    }
  | undefined {
  const match = /^(.+)#(\d+)#([a-z]+)#(\d+)#(\d+)$/.exec(sort)
  if (!match) return undefined
  const [, dueAt, tenantId, type, channelId, id] = match as unknown as [string, string, string, string, string, string]
  return { dueAt, tenant: { id: Number(tenantId) }, channel: { id: Number(channelId), type }, id: Number(id) }
}

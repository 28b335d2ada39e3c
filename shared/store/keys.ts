import { createHash } from 'node:crypto'
import type { TenantRef } from '../tenancy.ts'

/*
 * The data model: every key of the single table is made here and nowhere else.
 *
 * | access pattern                                    | key                                                        |
 * |---------------------------------------------------|------------------------------------------------------------|
 * | a tenant with its config_version                  | TENANT#<id> · same                                         |
 * | tenant by slug, user by e-mail, caller by token   | SLUG#<slug> · EMAIL#<address> · TOKEN#<number> · same      |
 * | invitation by its secret (hashed)                 | JOIN#<sha256> · same                                       |
 * | failed logins of an account from an address       | THROTTLE#<sha256> · same                                   |
 * | deployment-wide sequence (tenants)                | SEQ · tenants                                              |
 * | the deployment's first tenant (single mode: only) | DEPLOYMENT · first-tenant                                  |
 * | one configuration row, all rows of a kind         | T#<t>#CONFIG · TABLE#<name> | ROLE#<name> | SETTING#<name> |
 * | next id and live count of a table                 | T#<t>#SEQ · <model>                                        |
 * | a user, all users                                 | T#<t>#USERS · <id, 12 digits>                              |
 * | how many users hold a role, and how many may act  | T#<t>#ROLEUSE · <role>                                     |
 * | a record, a table's records by id                 | T#<t>#R#<model> · <id, 12 digits>                          |
 * | history of a record by version, its tombstone     | T#<t>#H#<model>#<id> · <version, 10 digits> | TOMBSTONE    |
 * | who holds a unique value                          | T#<t>#U#<model>#<field>#<sha256> · same                    |
 * | keys of records by an indexed field (slots 01–14) | p = T#<t>#<model>#<field>, s = <ordered value>#<id>        |
 * | a background job                                  | T#<t>#JOBS · <id, 12 digits>                               |
 * | the tenant's trail by time, by user, by table     | p = T#<t>#TRAIL | …#U#<user> | …#M#<model>, s = <ISO time>#<action>#<model>#<id>#<version> |
 * | deletes that did not finish (slot 20)             | p = DUE#removal#<shard>, s = <ISO time>#<tenant>#<model>#<id> |
 * | after hooks that did not run (slot 20)            | p = DUE#after#<shard>, s = the same                         |
 * | runs of scripts, newest last                      | T#<t>#RUNS · <id, 16 digits>#<run id>                       |
 * | notifications of a user (the bell), newest last   | T#<t>#BELL#<user> · <id, 16 digits>                         |
 * | what a bot remembers of a chat                    | T#<t>#BOT#<chat, hashed> · same                             |
 * | jobs that should have gone on by now (slot 20)    | p = DUE#job#<shard>, s = <ISO time>#<tenant>#<id>          |
 */
export interface Key {
  readonly pk: string
  readonly sk: string
}

/** Twelve digits sort as numbers do and hold every id a sequence will reach. */
export const idText = (id: number): string => String(id).padStart(12, '0')
export const versionText = (version: number): string => String(version).padStart(10, '0')
/** Hash of what is too long or too secret to stand in a key. */
export const keyHash = (text: string): string => createHash('sha256').update(text).digest('base64url')

const single = (key: string): Key => ({ pk: key, sk: key })
const tenantPrefix = (tenant: TenantRef): string => `T#${tenant.id}#`

export const tenantKey = (tenant: TenantRef): Key => single(`TENANT#${tenant.id}`)
export const slugKey = (slug: string): Key => single(`SLUG#${slug}`)
/** `email` in lower case. */
export const emailKey = (email: string): Key => single(`EMAIL#${email}`)
export const tokenKey = (number: number): Key => single(`TOKEN#${number}`)
export const invitationKey = (secretHash: string): Key => single(`JOIN#${secretHash}`)
export const loginThrottleKey = (email: string, address: string): Key => single(`THROTTLE#${keyHash(`${email}\n${address}`)}`)
export const tenantSequenceKey: Key = { pk: 'SEQ', sk: 'tenants' }
export const firstTenantKey: Key = { pk: 'DEPLOYMENT', sk: 'first-tenant' }

export const configPartition = (tenant: TenantRef): string => `${tenantPrefix(tenant)}CONFIG`
export type ConfigKind = 'TABLE' | 'ROLE' | 'SETTING'
export const configKey = (tenant: TenantRef, kind: ConfigKind, name: string): Key => ({ pk: configPartition(tenant), sk: `${kind}#${name}` })

export const sequenceKey = (tenant: TenantRef, model: string): Key => ({ pk: `${tenantPrefix(tenant)}SEQ`, sk: model })

export const userPartition = (tenant: TenantRef): string => `${tenantPrefix(tenant)}USERS`
export const userKey = (tenant: TenantRef, id: number): Key => ({ pk: userPartition(tenant), sk: idText(id) })

export const roleUseKey = (tenant: TenantRef, role: string): Key => ({ pk: `${tenantPrefix(tenant)}ROLEUSE`, sk: role })

export const recordPartition = (tenant: TenantRef, model: string): string => `${tenantPrefix(tenant)}R#${model}`
export const recordKey = (tenant: TenantRef, model: string, id: number): Key => ({ pk: recordPartition(tenant, model), sk: idText(id) })

export const historyPartition = (tenant: TenantRef, model: string, id: number): string => `${tenantPrefix(tenant)}H#${model}#${id}`
export const historyKey = (tenant: TenantRef, model: string, id: number, version: number): Key => ({
  pk: historyPartition(tenant, model, id),
  sk: versionText(version),
})
export const tombstoneKey = (tenant: TenantRef, model: string, id: number): Key => ({ pk: historyPartition(tenant, model, id), sk: 'TOMBSTONE' })

/** A unique value is hashed: it may be longer than a key and must not be cut. */
export const uniqueKey = (tenant: TenantRef, model: string, field: string, value: string): Key =>
  single(`${tenantPrefix(tenant)}U#${model}#${field}#${keyHash(value)}`)

/** The partition of one indexed field in its slot. */
export const slotPartition = (tenant: TenantRef, model: string, field: string): string => `${tenantPrefix(tenant)}${model}#${field}`

/** Everything that happened in a tenant, in time order (slot 15), of one user (slot 16), in one table (slot 17). */
export const trailPartition = (tenant: TenantRef): string => `${tenantPrefix(tenant)}TRAIL`
export const trailOfUserPartition = (tenant: TenantRef, userId: number): string => `${trailPartition(tenant)}#U#${userId}`
export const trailOfModelPartition = (tenant: TenantRef, model: string): string => `${trailPartition(tenant)}#M#${model}`

export const removalDueShards = 4
/** Unfinished deletes of every tenant, spread over shards; the sweeper reads all of them. */
export const removalDuePartition = (shard: number): string => `DUE#removal#${shard}`
export const removalDueSort = (dueAt: string, tenant: TenantRef, model: string, id: number): string => `${dueAt}#${tenant.id}#${model}#${id}`

export const afterDueShards = 4
/** Records, and tombstones, whose after hooks did not run; slot 20 of a record that is being deleted is its removal's. */
export const afterDuePartition = (shard: number): string => `DUE#after#${shard}`

/** What a sort key of slot 20 names. */
export function parseDueSort(sort: string): { tenant: TenantRef; model: string; id: number } | undefined {
  const match = /#(\d+)#([a-z][a-z0-9_]*)#(\d+)$/.exec(sort)
  return match ? { tenant: { id: Number(match[1]) }, model: match[2] as string, id: Number(match[3]) } : undefined
}

/** Ids that are made of the time have sixteen digits until the year 2286. */
export const timeIdText = (id: number): string => String(id).padStart(16, '0')
export const scriptRunPartition = (tenant: TenantRef): string => `${tenantPrefix(tenant)}RUNS`
export const scriptRunKey = (tenant: TenantRef, id: number, runId: string): Key => ({ pk: scriptRunPartition(tenant), sk: `${timeIdText(id)}#${runId}` })
export const bellPartition = (tenant: TenantRef, userId: number): string => `${tenantPrefix(tenant)}BELL#${userId}`
export const bellKey = (tenant: TenantRef, userId: number, id: number): Key => ({ pk: bellPartition(tenant, userId), sk: timeIdText(id) })
export const botStateKey = (tenant: TenantRef, chatId: string): Key => single(`${tenantPrefix(tenant)}BOT#${keyHash(chatId)}`)

export const jobPartition = (tenant: TenantRef): string => `${tenantPrefix(tenant)}JOBS`
export const jobKey = (tenant: TenantRef, id: number): Key => ({ pk: jobPartition(tenant), sk: idText(id) })
export const jobDueShards = 4
/** Jobs of every tenant that are not done, spread over shards, by the time at which somebody should look after them. */
export const jobDuePartition = (shard: number): string => `DUE#job#${shard}`
export const jobDueSort = (dueAt: string, tenant: TenantRef, id: number): string => `${dueAt}#${tenant.id}#${id}`
/** The tenant and id that a job's key names; undefined for any other key. */
export function parseJobKey(key: Key): { tenant: TenantRef; id: number } | undefined {
  const match = /^T#(\d+)#JOBS$/.exec(key.pk)
  return match ? { tenant: { id: Number(match[1]) }, id: Number(key.sk) } : undefined
}

/** The tenant, table and id that a record's key names; undefined for any other key. */
export function parseRecordKey(key: Key): { tenant: TenantRef; model: string; id: number } | undefined {
  const match = /^T#(\d+)#R#([a-z][a-z0-9_]*)$/.exec(key.pk)
  return match ? { tenant: { id: Number(match[1]) }, model: match[2] as string, id: Number(key.sk) } : undefined
}

/** Whether a key belongs to the tenant: the store refuses every other. */
export const belongsTo = (key: Key, tenant: TenantRef): boolean => key.pk.startsWith(tenantPrefix(tenant)) || key.pk === `TENANT#${tenant.id}`

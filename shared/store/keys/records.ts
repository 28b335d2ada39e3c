import { createHash } from 'node:crypto'
import type { TenantRef } from '../../kernel/tenancy.ts'

/*
 * The data model: every key of the single table is made here, those of processes in keys-of-processes.ts, and nowhere else.
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
 * | keys of records by an indexed field (slots 01–15) | p = T#<t>#<model>#<field>, s = <ordered value>#<id>        |
 * | postings of a word, words by their beginning      | T#<t>#S#<model>[#<generation>]#<first letters> · <token>#<id, 12 digits> |
 * | what search keeps of a record                     | T#<t>#SM#<model> · <id, 12 digits>                         |
 * | how many records hold a value, a field's values   | T#<t>#N#<model>#<field>[#<generation>] · =<value> | - for none |
 * | what an Idempotency-Key was answered with         | T#<t>#IDEM#<user>#<route>#<key> · same                     |
 * | how far an import without such a key is           | T#<t>#IMPORT#<uuid> · same                                 |
 * | a background job                                  | T#<t>#JOBS · <id, 12 digits>                               |
 * | the tenant's trail by time, by user, by table     | p = T#<t>#TRAIL | …#U#<user> | …#M#<model>, s = <ISO time>#<action>#<model>#<id>#<version> |
 * | a login, a change of users or configuration       | T#<t>#EV#<uuid> · same (listed by the trail)                |
 * | records linked to a record, by relation and side  | T#<t>#L#<relation>#<l|r>#<id> · <other id, 12 digits>      |
 * | every link of a relation (slot 15)                | p = T#<t>#L#<relation>, s = <l id>#<r id>                  |
 * | a deleted relation whose links are being removed  | T#<t>#R#sys_relations · <id, 12 digits>                    |
 * | a file with the records that hold it              | T#<t>#F#<token> · FILE | CLAIM#<model>#<id, 12 digits>      |
 * | what a write let go and nobody cleaned up yet     | T#<t>#FR#<uuid> · same                                     |
 * | files to look at (slot 20)                        | p = DUE#file#<shard>, s = <ISO time>#<pk>                  |
 * | deletes that did not finish (slot 20)             | p = DUE#removal#<shard>, s = <ISO time>#<tenant>#<model>#<id> |
 * | after hooks that did not run (slot 20)            | p = DUE#after#<shard>, s = the same                         |
 * | runs of scripts, newest last                      | T#<t>#RUNS · <id, 16 digits>#<run id>                       |
 * | notifications of a user (the bell), newest last   | T#<t>#BELL#<user> · <id, 16 digits>                         |
 * | what a bot remembers of a chat                    | T#<t>#BOT#<chat, hashed> · same                             |
 * | deleted records of a table by time (slot 18)      | p = T#<t>#GONE#<model>, s = <ISO time>#<id, 12 digits>     |
 * | how far the nightly repair of a tenant is         | T#<t>#REPAIR · same                                        |
 * | jobs that should have gone on by now (slot 20)    | p = DUE#job#<shard>, s = <ISO time>#<tenant>#<id>          |
 * | a version of a process template, with its XML     | T#<t>#PV#<template> · <version, 10 digits>                 |
 * | a process instance, all of them by id             | T#<t>#PI · <id, 12 digits>                                 |
 * | instances by status, of a template (slots 15, 16) | p = T#<t>#PI#S#<status> | …#T#<template>, s = <id>         |
 * | what an instance still has to do: commands, timers | T#<t>#PX#<instance> · Q#C#<ms>#<uuid> | Q#T#<execution>    |
 * | what happened in it, and what it did once          | T#<t>#PX#<instance> · A#<step> | M#<execution>#<n>         |
 * | what a record has to do with processes             | T#<t>#PR#<model>#<record> · I#<instance> | S#<template> | W#<task> |
 * | a task of a process, all of them by id             | T#<t>#PT · <id, 12 digits>                                 |
 * | tasks of a record, by status, of an assignee (slots 15–17) | p = T#<t>#PT#R#<model>#<id> | …#S#<status> | …#A#<user>, s = <status>#<id> |
 * | tasks that a user, role or unit may take           | T#<t>#PC#<U|R|O>#<which> · <task, 12 digits>               |
 * | incidents by id; by status, of an instance (slots 15, 16) | T#<t>#PN · <id, 12 digits>; p = T#<t>#PN#S#<status> | …#I#<instance> |
 * | instances that should have gone on by now (slot 20) | p = DUE#process#<shard>, s = <ISO time>#<tenant>#<instance> |
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
/** The beginning of every key that belongs to a tenant. */
export const tenantPrefix = (tenant: TenantRef): string => `T#${tenant.id}#`

export const tenantKey = (tenant: TenantRef): Key => single(`TENANT#${tenant.id}`)
export const slugKey = (slug: string): Key => single(`SLUG#${slug}`)
/** `email` in lower case. */
export const emailKey = (email: string): Key => single(`EMAIL#${email}`)
export const tokenKey = (number: number): Key => single(`TOKEN#${number}`)
export const invitationKey = (secretHash: string): Key => single(`JOIN#${secretHash}`)
export const loginThrottleKey = (email: string, address: string): Key =>
  single(`THROTTLE#${keyHash(`${email}\n${address}`)}`)
export const tenantSequenceKey: Key = { pk: 'SEQ', sk: 'tenants' }
export const firstTenantKey: Key = { pk: 'DEPLOYMENT', sk: 'first-tenant' }

export const configPartition = (tenant: TenantRef): string => `${tenantPrefix(tenant)}CONFIG`
export type ConfigKind = 'TABLE' | 'RELATION' | 'ROLE' | 'SETTING' | 'PROCESS'
export const configKey = (tenant: TenantRef, kind: ConfigKind, name: string): Key => ({
  pk: configPartition(tenant),
  sk: `${kind}#${name}`,
})

export const sequenceKey = (tenant: TenantRef, model: string): Key => ({ pk: `${tenantPrefix(tenant)}SEQ`, sk: model })

export const userPartition = (tenant: TenantRef): string => `${tenantPrefix(tenant)}USERS`
export const userKey = (tenant: TenantRef, id: number): Key => ({ pk: userPartition(tenant), sk: idText(id) })

export const roleUseKey = (tenant: TenantRef, role: string): Key => ({ pk: `${tenantPrefix(tenant)}ROLEUSE`, sk: role })

export const recordPartition = (tenant: TenantRef, model: string): string => `${tenantPrefix(tenant)}R#${model}`
export const recordKey = (tenant: TenantRef, model: string, id: number): Key => ({
  pk: recordPartition(tenant, model),
  sk: idText(id),
})

export const historyPartition = (tenant: TenantRef, model: string, id: number): string =>
  `${tenantPrefix(tenant)}H#${model}#${id}`
export const historyKey = (tenant: TenantRef, model: string, id: number, version: number): Key => ({
  pk: historyPartition(tenant, model, id),
  sk: versionText(version),
})
/** Tombstones of a table, oldest first. */
export const gonePartition = (tenant: TenantRef, model: string): string => `${tenantPrefix(tenant)}GONE#${model}`
export const goneSort = (deletedAt: string, id: number): string => `${deletedAt}#${idText(id)}`
export const tombstoneKey = (tenant: TenantRef, model: string, id: number): Key => ({
  pk: historyPartition(tenant, model, id),
  sk: 'TOMBSTONE',
})

/** `l` and `r`: the two positions of a relation. Each link is two rows, one under the record of either side. */
export type Side = 'l' | 'r'
export const linkPartition = (tenant: TenantRef, relationId: number, side: Side, id: number): string =>
  `${tenantPrefix(tenant)}L#${relationId}#${side}#${id}`
export const linkKey = (tenant: TenantRef, relationId: number, side: Side, id: number, otherId: number): Key => ({
  pk: linkPartition(tenant, relationId, side, id),
  sk: idText(otherId),
})
export const relationLinksPartition = (tenant: TenantRef, relationId: number): string =>
  `${tenantPrefix(tenant)}L#${relationId}`
/** The record that a link row leads to. */
export const otherIdOf = (key: { readonly sk?: unknown }): number => Number(key.sk)
/** The left and right record of a row of `relationLinksPartition`, from its own key. */
export function parseLinkKey(key: Key): { l: number; r: number } {
  const [, side, id] = /#([lr])#(\d+)$/.exec(key.pk) ?? []
  return side === 'l' ? { l: Number(id), r: otherIdOf(key) } : { l: otherIdOf(key), r: Number(id) }
}

/** `token`: the unguessable part of a file's path. */
export const filePartition = (tenant: TenantRef, token: string): string => `${tenantPrefix(tenant)}F#${token}`
export const fileKey = (tenant: TenantRef, token: string): Key => ({ pk: filePartition(tenant, token), sk: 'FILE' })
export const claimPrefix = 'CLAIM#'
export const fileClaimKey = (tenant: TenantRef, token: string, model: string, id: number): Key => ({
  pk: filePartition(tenant, token),
  sk: `${claimPrefix}${model}#${idText(id)}`,
})
export const fileReleaseKey = (tenant: TenantRef, uuid: string): Key => single(`${tenantPrefix(tenant)}FR#${uuid}`)
export const fileDueShards = 4
/** Files and releases of every tenant that the sweeper is to look at. */
export const fileDuePartition = (shard: number): string => `DUE#file#${shard}`
export function parseFileKey(key: Key): { tenant: TenantRef; kind: 'file' | 'release'; token: string } | undefined {
  const match = /^T#(\d+)#(F|FR)#([\w-]+)$/.exec(key.pk)
  return match
    ? { tenant: { id: Number(match[1]) }, kind: match[2] === 'F' ? 'file' : 'release', token: match[3] as string }
    : undefined
}

/** A unique value is hashed: it may be longer than a key and must not be cut. */
export const uniqueKey = (tenant: TenantRef, model: string, field: string, value: string): Key =>
  single(`${tenantPrefix(tenant)}U#${model}#${field}#${keyHash(value)}`)

/** The partition of one indexed field in its slot. */
export const slotPartition = (tenant: TenantRef, model: string, field: string): string =>
  `${tenantPrefix(tenant)}${model}#${field}`

/** Everything that happened in a tenant, in time order (slot 15), of one user (slot 16), in one table (slot 17). */
export const trailPartition = (tenant: TenantRef): string => `${tenantPrefix(tenant)}TRAIL`
export const trailOfUserPartition = (tenant: TenantRef, userId: number): string =>
  `${trailPartition(tenant)}#U#${userId}`
export const trailOfModelPartition = (tenant: TenantRef, model: string): string =>
  `${trailPartition(tenant)}#M#${model}`

/** Something that happened beside the records; found through the trail. */
export const trailEventKey = (tenant: TenantRef, uuid: string): Key => single(`${tenantPrefix(tenant)}EV#${uuid}`)

export const removalDueShards = 4
/** Unfinished deletes of every tenant, spread over shards; the sweeper reads all of them. */
export const removalDuePartition = (shard: number): string => `DUE#removal#${shard}`
export const removalDueSort = (dueAt: string, tenant: TenantRef, model: string, id: number): string =>
  `${dueAt}#${tenant.id}#${model}#${id}`

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
export const scriptRunKey = (tenant: TenantRef, id: number, runId: string): Key => ({
  pk: scriptRunPartition(tenant),
  sk: `${timeIdText(id)}#${runId}`,
})
export const bellPartition = (tenant: TenantRef, userId: number): string => `${tenantPrefix(tenant)}BELL#${userId}`
export const bellKey = (tenant: TenantRef, userId: number, id: number): Key => ({
  pk: bellPartition(tenant, userId),
  sk: timeIdText(id),
})
export const botStateKey = (tenant: TenantRef, chatId: string): Key =>
  single(`${tenantPrefix(tenant)}BOT#${keyHash(chatId)}`)

/** A rebuilt index is written beside the one it replaces: each has a number, and the first none in its keys. */
const generationPart = (generation: number): string => (generation === 0 ? '' : `#${generation}`)
/** Words are spread by their first two letters; where one letter is a syllable or a word, by that one. */
const lettersOf = (token: string): string => {
  const [first = '', second = ''] = token
  return first >= '\u2e80' ? first : first + second
}
/** The partition of every word that begins as `token` does; see `tellsPostingPartition`. */
export const postingPartition = (tenant: TenantRef, model: string, generation: number, token: string): string =>
  `${tenantPrefix(tenant)}S#${model}${generationPart(generation)}#${lettersOf(token)}`
/** Whether a beginning of a word says in which partition the word stands. */
export const tellsPostingPartition = (prefix: string): boolean => [...prefix].length > 1 || prefix >= '\u2e80'
/** The start of every posting of exactly this word. */
export const postingPrefix = (token: string): string => `${token}#`
export const postingKey = (tenant: TenantRef, model: string, generation: number, token: string, id: number): Key => ({
  pk: postingPartition(tenant, model, generation, token),
  sk: `${postingPrefix(token)}${idText(id)}`,
})
/** The record that the sort key of a posting names. */
export const idOfPosting = (sk: string): number => Number(sk.slice(-12))
export const manifestKey = (tenant: TenantRef, model: string, id: number): Key => ({
  pk: `${tenantPrefix(tenant)}SM#${model}`,
  sk: idText(id),
})
export const counterPartition = (tenant: TenantRef, model: string, field: string, generation: number): string =>
  `${tenantPrefix(tenant)}N#${model}#${field}${generationPart(generation)}`
/** `value` as the counter's sort key writes it. */
export const counterKey = (
  tenant: TenantRef,
  model: string,
  field: string,
  generation: number,
  value: string,
): Key => ({
  pk: counterPartition(tenant, model, field, generation),
  sk: value,
})

/** `route`: method and path as they were called, table included. */
export const idempotencyKey = (tenant: TenantRef, userId: number, route: string, key: string): Key =>
  single(`${tenantPrefix(tenant)}IDEM#${userId}#${route}#${key}`)
export const importKey = (tenant: TenantRef, uuid: string): Key => single(`${tenantPrefix(tenant)}IMPORT#${uuid}`)

export const repairKey = (tenant: TenantRef): Key => single(`${tenantPrefix(tenant)}REPAIR`)

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
export const belongsTo = (key: Key, tenant: TenantRef): boolean =>
  key.pk.startsWith(tenantPrefix(tenant)) || key.pk === `TENANT#${tenant.id}`

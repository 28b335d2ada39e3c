import { findTenant, namesOf } from '../../accounts/service.ts'
import { NotFound } from '../../kernel/failures/faults.ts'
import type { Tenant } from '../../kernel/tenancy.ts'
import { type FollowToken, isFollowToken, parseFollowToken } from '../../platform/mail/follow-token.ts'
import { followedTables } from '../../platform/settings/service.ts'
import type { Config } from '../../platform/store/config.ts'
import { commentPartition } from '../../platform/store/keys/comments.ts'
import { threadKeyKey } from '../../platform/store/keys/messages/deliveries.ts'
import { readMerged } from '../../platform/store/ranges/merge-shards.ts'
import { readMergedRecords, readSurvivor } from '../../platform/store/ranges/merged-records.ts'
import { readLivingRecord, readRecordHead, type StoredRecord } from '../../platform/store/rows/record-row.ts'
import type { Store } from '../../platform/store/store.ts'
import type { Item } from '../../platform/store/values/marshal.ts'
import type { Table, Tables } from '../../tables/tables/service.ts'
import { type Comment, readComment, withNames } from '../comments/service.ts'
import type { FollowedRecord } from './schema.ts'

export interface FollowDependencies {
  readonly store: Pick<Store, 'get' | 'getMany' | 'query'>
  readonly config: Pick<Config, 'list'>
  readonly tables: Pick<Tables, 'find'>
}

const commentsShown = 50

/**
 * What the link of a record shows: its title, number, state and public comments. Throws the same NotFound for a token that
 * is wrong, a table that is not followed (any more), and a record that is gone.
 */
export async function describeFollowed(services: FollowDependencies, text: string): Promise<FollowedRecord> {
  const token = parseFollowToken(text)
  const found = token && (await findFollowed(services, token))
  if (!found) throw new NotFound('record', {}, 'This link leads to no record: it is wrong, or it was withdrawn.')
  const { tenant, table, record, homes } = found
  const { comments, hasMore } = await publicComments(services.store, tenant, table.name, homes)
  const names = await namesOf(
    services.store,
    tenant,
    comments.flatMap(({ mentions }) => mentions),
  )
  return {
    company: tenant.name,
    label: table.label,
    number: record.id,
    title: titleOf(table, record),
    state: stateOf(table, record),
    created_at: record.created_at,
    updated_at: record.updated_at,
    comments: comments.map(({ body, from, createdAt }) => ({
      name: from ? (from.name ?? '?') : tenant.name,
      is_company: from === undefined,
      body: withNames(body, names),
      created_at: createdAt,
    })),
    has_more: hasMore,
  }
}

interface Followed {
  readonly tenant: Tenant
  readonly table: Table
  readonly record: StoredRecord
  /** The records whose comments are its own: itself, and those merged into it. */
  readonly homes: readonly number[]
}

async function findFollowed(
  { store, config, tables }: FollowDependencies,
  token: FollowToken,
): Promise<Followed | undefined> {
  const { tenantId, record: ref } = token
  const tenant = await findTenant(store, tenantId)
  if (!tenant || tenant.deleteAt !== undefined || tenant.awaitsVerification) return undefined
  const key = await store.get(tenant, threadKeyKey(tenant))
  // A tenant without a key has handed out no link.
  if (!key || !isFollowToken(Buffer.from(String(key.key), 'base64url'), token)) return undefined
  if (!(await followedTables(config, tenant)).has(ref.model)) return undefined
  const [table, survivor] = await Promise.all([tables.find(tenant, ref.model), readSurvivor(store, tenant, ref)])
  const record = table && readLivingRecord(survivor?.item, table)
  if (!record) return undefined
  const merged = await readMergedRecords(store, tenant, ref.model, survivor?.item)
  return { tenant, table, record, homes: [record.id, ...merged.map((item) => readRecordHead(item).id)] }
}

/** The latest ones, oldest first. Internal comments are in another partition, which is not read. */
async function publicComments(
  store: Pick<Store, 'query'>,
  tenant: Tenant,
  model: string,
  homes: readonly number[],
): Promise<{ readonly comments: readonly Comment[]; readonly hasMore: boolean }> {
  const shards = homes.map((id) => ({ pk: commentPartition(tenant, model, id, false) }))
  const items: Item[] = []
  for await (const page of readMerged(store, tenant, shards, { reverse: true, limit: commentsShown + 1 }))
    items.push(...page.items)
  return {
    comments: items.slice(0, commentsShown).map(readComment).toReversed(),
    hasMore: items.length > commentsShown,
  }
}

function titleOf({ title_field }: Table, { data }: StoredRecord): string | null {
  const title = title_field === null ? undefined : data[title_field]
  return typeof title === 'string' && title !== '' ? title : null
}

function stateOf({ table_fields }: Table, { data }: StoredRecord): string | null {
  const field = table_fields.find(({ type }) => type === 'state_model')
  const slug = field && data[field.name]
  const states = field?.type === 'state_model' ? (field.states ?? []) : []
  return states.find((state) => state.slug === slug)?.label ?? null
}

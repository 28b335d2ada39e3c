import { namesOf } from '../../accounts/people/user.ts'
import { findTenant } from '../../accounts/tenants/find-tenant.ts'
import { NotFound } from '../../kernel/failures/faults.ts'
import type { Tenant } from '../../kernel/tenancy.ts'
import { type FollowToken, isFollowToken, parseFollowToken } from '../../platform/mail/follow-token.ts'
import { followedTables } from '../../platform/settings/read-settings.ts'
import type { Config } from '../../platform/store/config.ts'
import { threadKeyKey } from '../../platform/store/keys/messages/deliveries.ts'
import { readMergeChain } from '../../platform/store/ranges/merged-records.ts'
import { readRecordData, readRecordHead, type RecordData } from '../../platform/store/rows/record-row.ts'
import type { Store } from '../../platform/store/store.ts'
import type { Item } from '../../platform/store/values/marshal.ts'
import type { Tables } from '../../tables/tables/read-tables.ts'
import type { Table } from '../../tables/tables/table.ts'
import { openRequesterView } from '../comments/requester-view.ts'
import { withNames } from '../comments/write/mentions.ts'
import { requestFollowers } from '../portal-requests/followers.ts'
import { ownWords, type OwnWordsDependencies } from './own-words.ts'
import type { FollowedRecord } from './schema.ts'

export interface FollowDependencies extends OwnWordsDependencies {
  readonly store: Pick<Store, 'get' | 'getMany' | 'query'>
  readonly config: Pick<Config, 'list'>
  readonly tables: Pick<Tables, 'find'>
}

const commentsShown = 50

/**
 * What the link of a record shows: its title, number, state and public comments. Of one that was merged into another these
 * are its own, with the state of the other and what the team has answered there since. Throws the same NotFound for a token
 * that is wrong, a table that is not followed (any more), and a record that is gone.
 */
export async function describeFollowed(services: FollowDependencies, text: string): Promise<FollowedRecord> {
  const token = parseFollowToken(text)
  const found = token && (await findFollowed(services, token))
  if (!found) throw new NotFound('record', {}, 'This link leads to no record: it is wrong, or it was withdrawn.')
  const { tenant, table, chain } = found
  const view = await openRequesterView({ ...services, requests: requestFollowers(services) }, tenant, table.name, chain)
  const latest = await view.latest(commentsShown + 1)
  const comments = latest.slice(0, commentsShown).toReversed()
  const [item, survivor] = [chain[0] as Item, chain.at(-1) as Item]
  const record = readRecordHead(item)
  const names = await namesOf(
    services.store,
    tenant,
    comments.flatMap(({ mentions }) => mentions),
  )
  return {
    company: tenant.name,
    label: table.label,
    number: record.id,
    title: titleOf(table, await ownWords(services, tenant, table, item)),
    state: stateOf(table, readRecordData(survivor, table)),
    created_at: record.created_at,
    updated_at: readRecordHead(survivor).updated_at,
    comments: comments.map(({ body, from, createdAt }) => ({
      name: from ? (from.name ?? '?') : tenant.name,
      is_company: from === undefined,
      body: withNames(body, names),
      created_at: createdAt,
    })),
    has_more: latest.length > commentsShown,
  }
}

interface Followed {
  readonly tenant: Tenant
  readonly table: Table
  /** The rows from the record to the one that it was merged into. */
  readonly chain: readonly Item[]
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
  const [table, chain] = await Promise.all([tables.find(tenant, ref.model), readMergeChain(store, tenant, ref)])
  return table && chain && { tenant, table, chain }
}

function titleOf({ title_field }: Table, data: RecordData): string | null {
  const title = title_field === null ? undefined : data[title_field]
  return typeof title === 'string' && title !== '' ? title : null
}

function stateOf({ table_fields }: Table, data: RecordData): string | null {
  const field = table_fields.find(({ type }) => type === 'state_model')
  const slug = field && data[field.name]
  const states = field?.type === 'state_model' ? (field.states ?? []) : []
  return states.find((state) => state.slug === slug)?.label ?? null
}

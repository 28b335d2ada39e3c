import { findPeople } from '../../accounts/people/lookup/find-people.ts'
import { viewerOfUser } from '../../accounts/sessions/authentication.ts'
import type { Tenant } from '../../kernel/tenancy.ts'
import type { Config } from '../../platform/store/config.ts'
import { commentPartition } from '../../platform/store/keys/comments.ts'
import { readPages } from '../../platform/store/ranges/read-all.ts'
import { readRecordHead, type RecordHead } from '../../platform/store/rows/record-row.ts'
import type { Store } from '../../platform/store/store.ts'
import type { Item } from '../../platform/store/values/marshal.ts'
import { type RecordRef, seesInternalOn } from './commented-record.ts'
import type { RequestFollowers } from './dependencies.ts'
import { type Comment, readComment } from './rows/comment-row.ts'

/** What tells the people of a record from the team. */
export interface RequesterViewDependencies {
  readonly store: Pick<Store, 'get' | 'getMany' | 'query'>
  readonly config: Pick<Config, 'list'>
  readonly requests: Pick<RequestFollowers, 'followersOf'>
}

/** The conversation of a record as somebody outside the team reads it. */
export interface RequesterView {
  readonly shows: (comment: Comment) => boolean
  /** The latest comments that it shows, the newest first. */
  readonly latest: (limit: number) => Promise<Comment[]>
}

/** A record of the chain that another was merged into. */
interface Joined {
  /** When that was: earlier comments are none of its business. */
  readonly at: string
  readonly people: ReadonlySet<number>
}

/**
 * What the requester of a record reads of its conversation, also after merges, which put several people's records
 * together (docs/decisions/0108): the public comments on the record itself, and of those on the record that it was merged
 * into what the team has answered since. Never what somebody said as the requester of another record, nor what was written
 * on a record that was merged into this one. `chain`: the rows from the record to the one that it is part of.
 */
export async function openRequesterView(
  services: RequesterViewDependencies,
  tenant: Tenant,
  model: string,
  chain: readonly Item[],
): Promise<RequesterView> {
  const [own, ...others] = chain.map(readRecordHead) as [RecordHead, ...RecordHead[]]
  const people = await Promise.all(others.map((one) => peopleOf(services, tenant, { model, id: one.id }, one)))
  // A merge is the last write of a merged record.
  const joined = new Map(
    others.map(({ id }, index): [number, Joined] => [
      id,
      { at: String(chain[index]?.updated_at), people: people[index] ?? new Set() },
    ]),
  )

  function shows({ isInternal, recordId, through, from, userId, createdAt, conversation }: Comment): boolean {
    if (isInternal || (through !== undefined && through !== own.id)) return false
    if (conversation !== undefined && conversation !== own.id) return false
    if (recordId === own.id) return true
    const other = joined.get(recordId)
    if (!other || createdAt < other.at) return false
    return through === own.id || (from === undefined && !other.people.has(userId))
  }

  async function latestOf(id: number, limit: number): Promise<Comment[]> {
    const shown: Comment[] = []
    const range = { pk: commentPartition(tenant, model, id, false), reverse: true, limit }
    for await (const { items } of readPages(services.store, tenant, range)) {
      const comments = items.map(readComment)
      shown.push(...comments.filter(shows))
      const oldest = comments.at(-1)
      const isBefore = oldest !== undefined && oldest.createdAt < (joined.get(id)?.at ?? '')
      if (shown.length >= limit || isBefore) break
    }
    return shown.slice(0, limit)
  }

  return {
    shows,
    async latest(limit) {
      const each = await Promise.all([own, ...others].map(({ id }) => latestOf(id, limit)))
      return each
        .flat()
        .toSorted((a, b) => b.id - a.id)
        .slice(0, limit)
    },
  }
}

/**
 * Who speaks on a record as its requester: who sent it in the portal, who was added to it there, and who made it without
 * being of the team, which reads internal comments.
 */
async function peopleOf(
  { store, config, requests }: RequesterViewDependencies,
  tenant: Tenant,
  ref: RecordRef,
  { created_by: creator }: RecordHead,
): Promise<ReadonlySet<number>> {
  const followers = await requests.followersOf(tenant, ref)
  if (creator === 0 || followers.has(creator)) return followers
  const [user] = await findPeople(store, tenant, { ids: [creator] }, { searchesEmail: false })
  const isTeam = user !== undefined && seesInternalOn(await viewerOfUser(config, tenant, user), ref.model)
  return isTeam ? followers : new Set([...followers, creator])
}

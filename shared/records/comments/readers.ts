import { findPeople } from '../../accounts/people/lookup/find-people.ts'
import { findUser } from '../../accounts/people/user.ts'
import { viewerOfUser } from '../../accounts/sessions/authentication.ts'
import { maxMentionable, maxMentionTried } from '../../kernel/limits/comments.ts'
import { mayOnTable } from '../../kernel/permissions.ts'
import type { Viewer } from '../../kernel/principal.ts'
import type { Tenant } from '../../kernel/tenancy.ts'
import type { Item } from '../../platform/store/values/marshal.ts'
import {
  type CommentedRecord,
  readCommentedRecord,
  type RecordRef,
  requireMayWrite,
  seesInternalOn,
} from './commented-record.ts'
import type { CommentDependencies } from './dependencies.ts'
import type { Comment } from './rows/comment-row.ts'
import type { MentionablePeople, MentionableQuery } from './schema.ts'

type Person = Awaited<ReturnType<typeof findPeople>>[number]

/**
 * Tells of people as which record they read a comment on it, or undefined when they may not. Without rights on the table
 * that is the one whose request they follow in the portal; after a merge several, as `openRequesterView` has it.
 */
export function readerOf(
  { config, access, requests }: Pick<CommentDependencies, 'config' | 'access' | 'requests'>,
  tenant: Tenant,
  { model, recordId, isInternal, through, from, userId, conversation }: CommentToRead,
  { item, record, merged }: Pick<CommentedRecord, 'item' | 'record' | 'merged'>,
): (user: Person) => Promise<number | undefined> {
  let followed: Promise<ReadonlyMap<number, number>> | undefined
  return async (user) => {
    const viewer = await viewerOfUser(config, tenant, user)
    if (!mayOnTable(viewer, model, 'read')) {
      followed ??= recordsFollowed()
      return (await followed).get(user.id)
    }
    if (isInternal && !seesInternalOn(viewer, model)) return undefined
    const [permitted] = await access.permitted(viewer, model, 'read', [item])
    return permitted && record.id
  }

  /** The record of each follower. What a requester says is for those who follow the same record. */
  async function recordsFollowed(): Promise<ReadonlyMap<number, number>> {
    if (isInternal || !requests) return new Map()
    const followersOf = async (id: number): Promise<[number, number][]> =>
      [...(await requests.followersOf(tenant, { model, id }))].map((follower) => [follower, id])
    if (conversation !== undefined) return new Map(await followersOf(conversation))
    const own = await followersOf(through ?? recordId)
    const isOfRequester = through !== undefined || from !== undefined || own.some(([follower]) => follower === userId)
    if (isOfRequester || recordId !== record.id) return new Map(own)
    const others = await Promise.all(merged.map((one) => followersOf(one.record.id)))
    return new Map([...others.flat(), ...own])
  }
}

type CommentToRead = Pick<Comment, 'model' | 'recordId' | 'isInternal' | 'userId' | 'through' | 'from' | 'conversation'>

/** Whether somebody works on records of a table: reads internal comments, or may update the record without being limited to some. */
export async function worksOn(
  { store, config, access }: Pick<CommentDependencies, 'store' | 'config' | 'access'>,
  tenant: Tenant,
  model: string,
  item: Item | null | undefined,
  userId: number,
): Promise<boolean> {
  const user = await findUser(store, tenant, userId)
  if (!user) return false
  const viewer = await viewerOfUser(config, tenant, user)
  if (mayOnTable(viewer, model, 'comment_internal')) return true
  // Customers may change records too, of their own.
  if (access.isLimited(viewer, model, 'update')) return false
  const [mayUpdate] = await access.permitted(viewer, model, 'update', [item])
  return mayUpdate !== undefined
}

/**
 * The people whose name has the words and who may read a comment on the record, by name: whom it may mention. Throws
 * NotFound, and Forbidden for somebody who may not write such a comment.
 */
export async function mentionablePeople(
  comments: CommentDependencies,
  caller: Viewer,
  record: RecordRef,
  { search, is_internal: internal }: MentionableQuery,
): Promise<MentionablePeople> {
  const isInternal = internal === 'true'
  requireMayWrite(caller, record.model, isInternal)
  const commented = await readCommentedRecord(comments, caller, record)
  const found = await findPeople(comments.store, caller.tenant, { ...(search && { search }) }, { searchesEmail: false })
  const written = { model: record.model, recordId: record.id, isInternal, userId: caller.userId }
  const readsAs = readerOf(comments, caller.tenant, written, commented)
  const people: { id: number; name: string }[] = []
  for (const user of found.slice(0, maxMentionTried)) {
    if (people.length === maxMentionable) break
    if (user.id !== caller.userId && (await readsAs(user)) !== undefined) people.push({ id: user.id, name: user.name })
  }
  return { people }
}

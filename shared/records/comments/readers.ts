import { findPeople, viewerOfUser } from '../../accounts/service.ts'
import { maxMentionable, maxMentionTried } from '../../kernel/limits/comments.ts'
import { mayOnTable } from '../../kernel/permissions.ts'
import type { Viewer } from '../../kernel/principal.ts'
import type { Tenant } from '../../kernel/tenancy.ts'
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

/** Tells of people whether they may read a comment. `item`: its record. */
export function readerOf(
  { config, access, requests }: Pick<CommentDependencies, 'config' | 'access' | 'requests'>,
  tenant: Tenant,
  { model, recordId, isInternal }: Pick<Comment, 'model' | 'recordId' | 'isInternal'>,
  item: CommentedRecord['item'],
): (user: Person) => Promise<boolean> {
  let followers: ReadonlySet<number> | undefined
  return async (user) => {
    const viewer = await viewerOfUser(config, tenant, user)
    if (!mayOnTable(viewer, model, 'read')) {
      if (isInternal || !requests) return false
      followers ??= await requests.followersOf(tenant, { model, id: recordId })
      return followers.has(user.id)
    }
    if (isInternal && !seesInternalOn(viewer, model)) return false
    const [permitted] = await access.permitted(viewer, model, 'read', [item])
    return permitted !== undefined
  }
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
  const { item } = await readCommentedRecord(comments, caller, record)
  const found = await findPeople(comments.store, caller.tenant, { ...(search && { search }) }, { searchesEmail: false })
  const mayRead = readerOf(comments, caller.tenant, { model: record.model, recordId: record.id, isInternal }, item)
  const people: { id: number; name: string }[] = []
  for (const user of found.slice(0, maxMentionTried)) {
    if (people.length === maxMentionable) break
    if (user.id !== caller.userId && (await mayRead(user))) people.push({ id: user.id, name: user.name })
  }
  return { people }
}

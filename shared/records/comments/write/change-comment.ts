import { Forbidden, Invalid, PreconditionFailed } from '../../../kernel/failures/faults.ts'
import type { Caller } from '../../../kernel/principal.ts'
import { isoTime } from '../../../kernel/time/clock.ts'
import { keyOfItem } from '../../../platform/store/keys/key.ts'
import type { Write } from '../../../platform/store/store.ts'
import { commit } from '../../../platform/store/writes/commit.ts'
import { atVersion, isNew } from '../../../platform/store/writes/conditions.ts'
import { retryWithJitter } from '../../../platform/store/writes/retry-with-jitter.ts'
import { attachmentWrites, letGo, requireFiles } from '../attachments.ts'
import {
  discussionAt,
  readCommentedRecord,
  recordLives,
  type RecordRef,
  requireMayWrite,
  requireUnmerged,
} from '../commented-record.ts'
import type { CommentDependencies } from '../dependencies.ts'
import { findComment } from '../list-comments.ts'
import { type Comment, commentItem, removedComment } from '../rows/comment-row.ts'
import { countComments, type Discussion, saveDiscussion } from '../rows/discussion-row.ts'
import type { CommentChange } from '../schema.ts'
import { commentIntents } from './comment-intents.ts'
import { takeFromConversation } from './conversation-step.ts'
import { mentionsIn } from './mentions.ts'
import { trailOfOthers } from './trail-of-others.ts'

/** Whether a version is the one that the client has read. */
type VersionMatch = (version: number) => boolean

/**
 * Changes a comment of the caller; what the change leaves out stays. People whom it newly mentions are notified. Throws
 * NotFound, Forbidden for a comment of somebody else and without the permission for its kind, before and after,
 * PreconditionFailed for a stale version, and Invalid.
 */
export async function changeComment(
  comments: CommentDependencies,
  caller: Caller,
  record: RecordRef,
  commentId: number,
  change: CommentChange,
  ifMatch?: VersionMatch,
): Promise<Comment> {
  const { store, clock } = comments
  const { tenant } = caller
  if (change.is_internal !== undefined) requireMayWrite(caller, record.model, change.is_internal)
  return retryWithJitter(clock, async (again) => {
    const found = await readCommentedRecord(comments, caller, record)
    requireUnmerged(record, found)
    const before = await findComment(store, caller, record, commentId, found)
    requireOwn(caller, before)
    requireMayWrite(caller, record.model, before.isInternal)
    requireCurrent(before, change.version, ifMatch)
    if (before.forward !== undefined && change.is_internal === false)
      throw new Invalid({
        is_internal: ['What was forwarded, and what answers it, is never public: write a comment instead.'],
      })
    const isInternal = change.is_internal ?? before.isInternal
    const edited = { ...before, ...contentOf(before, change), isInternal }
    if (isSame(before, edited)) return before
    const [table, mentions] = await Promise.all([
      comments.tables.require(tenant, record.model),
      edited.body === before.body ? before.mentions : mentionsIn(store, tenant, edited.body),
      requireFiles(comments, tenant, change.attachments),
    ])
    const now = isoTime(Math.max(clock.now(), Date.parse(before.updatedAt)))
    const isHidden = isInternal && !before.isInternal
    // What its customer does not read any more is no part of the conversation.
    const { side: _, ...unheard } = edited
    const after: Comment = { ...(isHidden ? unheard : edited), mentions, updatedAt: now, version: before.version + 1 }
    const taken = isHidden ? await takeFromConversation(comments, tenant, table, [before], found) : undefined
    const mentioned = mentions.filter((id) => !before.mentions.includes(id))
    const files = attachmentWrites(comments, tenant, after, before, after)
    await commit(
      store,
      tenant,
      [
        taken?.step(again) ?? recordLives(tenant, record),
        ...moved(caller, discussionAt(found, before.recordId), before, after),
        ...files.writes,
        ...trailOfOthers(clock, caller, 'update', before),
        ...(await commentIntents(comments, caller, table, after, found, { mentioned, watching: [] })),
      ],
      clock.uuid(),
      again,
    )
    await letGo(comments, tenant, files)
    return after
  })
}

/**
 * Removes a comment: the caller's own, or any for an administrator. Throws NotFound, Forbidden and PreconditionFailed.
 */
export async function removeComment(
  comments: CommentDependencies,
  caller: Caller,
  record: RecordRef,
  commentId: number,
  ifMatch?: VersionMatch,
): Promise<void> {
  const { store, clock } = comments
  const { tenant } = caller
  return retryWithJitter(clock, async (again) => {
    const found = await readCommentedRecord(comments, caller, record)
    requireUnmerged(record, found)
    const before = await findComment(store, caller, record, commentId, found)
    if (!caller.isAdministrator) requireOwn(caller, before)
    requireMayWrite(caller, record.model, before.isInternal)
    requireCurrent(before, undefined, ifMatch)
    const files = attachmentWrites(comments, tenant, { ...before, version: before.version + 1 }, before, undefined)
    const discussion = countComments(discussionAt(found, before.recordId), before.isInternal, -1)
    const table = await comments.tables.require(tenant, record.model)
    const taken = await takeFromConversation(comments, tenant, table, [before], found)
    await commit(
      store,
      tenant,
      [
        taken?.step(again) ?? recordLives(tenant, record),
        { remove: keyOfItem(commentItem(tenant, before)), if: atVersion(before.version) },
        { put: removedComment(tenant, before, clock.now()) },
        saveDiscussion(tenant, record.model, before.recordId, discussion),
        ...files.writes,
        ...trailOfOthers(clock, caller, 'delete', before),
      ],
      clock.uuid(),
      again,
    )
    await letGo(comments, tenant, files)
  })
}

function requireOwn({ userId }: Caller, comment: Comment): void {
  if (comment.userId !== userId) throw new Forbidden('comment_not_yours', 'Only its author may change a comment.')
}

function requireCurrent({ version }: Comment, known: number | undefined, ifMatch: VersionMatch | undefined): void {
  if ((known !== undefined && known !== version) || (ifMatch && !ifMatch(version)))
    throw new PreconditionFailed(version)
}

const contentOf = (before: Comment, { body, attachments }: CommentChange): Pick<Comment, 'body' | 'attachments'> => ({
  body: body ?? before.body,
  attachments: attachments ? [...new Set(attachments)] : before.attachments,
})

const isSame = (a: Comment, b: Comment): boolean =>
  a.body === b.body &&
  a.isInternal === b.isInternal &&
  a.attachments.length === b.attachments.length &&
  a.attachments.every((path, index) => path === b.attachments[index])

/** The writes of an edited comment. One that becomes internal, or stops being it, has another key. */
function moved({ tenant }: Caller, discussion: Discussion, before: Comment, after: Comment): Write[] {
  const put = commentItem(tenant, after)
  if (before.isInternal === after.isInternal) return [{ put, if: atVersion(before.version) }]
  const counted = countComments(countComments(discussion, before.isInternal, -1), after.isInternal, 1)
  return [
    { remove: keyOfItem(commentItem(tenant, before)), if: atVersion(before.version) },
    { put, if: isNew },
    saveDiscussion(tenant, after.model, after.recordId, counted),
  ]
}

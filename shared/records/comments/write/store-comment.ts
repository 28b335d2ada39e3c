import { Invalid } from '../../../kernel/failures/faults.ts'
import type { Viewer } from '../../../kernel/principal.ts'
import { isoTime } from '../../../kernel/time/clock.ts'
import { readSurvivor } from '../../../platform/store/ranges/merged-records.ts'
import { reserveIds } from '../../../platform/store/sequence/sequence.ts'
import type { Write } from '../../../platform/store/store.ts'
import { commit, type Step } from '../../../platform/store/writes/commit.ts'
import { isNew } from '../../../platform/store/writes/conditions.ts'
import { retryWithJitter } from '../../../platform/store/writes/retry-with-jitter.ts'
import { attachmentWrites, requireFiles } from '../attachments.ts'
import {
  type CommentedRecord,
  discussionAt,
  type PreloadedRows,
  readCommentedRecord,
  recordLives,
  recordRemains,
  type RecordRef,
  requireUnmerged,
} from '../commented-record.ts'
import { type CommentDependencies, isOfForward, type SendingOf } from '../dependencies.ts'
import { type Comment, commentItem, commentSequence } from '../rows/comment-row.ts'
import { addCommenter, countComments, saveDiscussion } from '../rows/discussion-row.ts'
import { watchersOf } from '../watchers/watchers-of.ts'
import { commentIntents } from './comment-intents.ts'
import { addToConversation, type AddedToConversation, sideOf } from './conversation-step.ts'
import { mentionsIn } from './mentions.ts'

/** Who writes a comment: a user, or the service (user 0) for somebody who is none. */
export interface CommentAuthor extends Viewer {
  readonly name: string
}

/** What a new comment holds. `from` and `messageId`: of one that came in as a message. */
export type NewComment = Pick<
  Comment,
  'body' | 'isInternal' | 'attachments' | 'from' | 'messageId' | 'cc' | 'through' | 'forward'
> &
  SendingOf & {
    /** A program wrote the message that it was. */
    readonly isAutomatic?: boolean
  }

/** A comment that is not stored yet, with all that its transaction writes besides. */
interface PreparedComment {
  readonly comment: Comment
  readonly writes: readonly Write[]
  /** The record whose conversation it is part of: the one that its own was merged into, else its own. */
  readonly at: RecordRef
  /** The conversations afterwards, and the step that stores them; undefined for a comment that is no part of one. */
  readonly conversation: AddedToConversation | undefined
}

/**
 * Makes a comment for the transaction of somebody else, who writes the record. That of a requester (`through` the record)
 * is taken where the record was merged into, and stays the record's own. Throws NotFound, Invalid, and Forbidden for one
 * that is sent by an author who may not update the record.
 */
export async function prepareComment(
  comments: CommentDependencies,
  author: CommentAuthor,
  record: RecordRef,
  { body, isInternal, attachments, from, messageId, through, cc, forward, isAutomatic = false, ...how }: NewComment,
  { rows, id: given }: { readonly rows?: PreloadedRows | undefined; readonly id?: number | undefined } = {},
): Promise<PreparedComment> {
  const { store, clock } = comments
  const { tenant, userId, impersonatorId } = author
  const { model, id: recordId } = record
  const found = await readWhereTaken(comments, author, record, through, rows)
  // Words to people outside speak for whoever works on the record.
  if (how.send !== undefined && how.send !== 'none')
    await comments.access.require(author, model, found.record.id, 'update', found.item)
  else if (how.conversation !== undefined)
    throw new Invalid({
      conversation: ['Only a reply answers one: add send with the value "email" or "messenger", or leave it out.'],
    })
  const [table, mentions] = await Promise.all([
    comments.tables.require(tenant, model),
    // What comes from outside mentions nobody: ids are not known there, and must not ring bells.
    messageId === undefined ? mentionsIn(store, tenant, body) : [],
    requireFiles(comments, tenant, attachments),
  ])
  const id = given ?? (await reserveIds(store, tenant, commentSequence, 1))
  const now = isoTime(clock.now())
  const written: Comment = {
    id,
    model,
    recordId,
    body,
    isInternal,
    attachments: [...new Set(attachments)],
    mentions,
    userId,
    ...(impersonatorId !== undefined && { impersonatorId }),
    ...(from && { from }),
    ...(messageId !== undefined && { messageId }),
    ...(through !== undefined && { through }),
    ...(cc && { cc }),
    ...(forward !== undefined && { forward }),
    createdAt: now,
    updatedAt: now,
    version: 1,
  }
  const isSent = isOfForward(how) || (!isInternal && !(await isAmongOthers(comments, author, written, found)))
  const sent = (isSent && (await comments.sendReplies?.(author, written, how))) || undefined
  const { writes: replies = [], conversation, inForward, isOfCustomer = false } = sent ?? {}
  const placed: Comment = { ...written, ...(conversation !== undefined && { conversation }), ...inForward }
  const origin = { isSent: replies.length > 0, isOfCustomer, isAutomatic }
  const side = await sideOf(comments, tenant, placed, found, origin)
  const comment: Comment = { ...placed, ...(side && { side }) }
  const watching = watchersOf(table, found.record, found.discussion, { seesInternal: true }, found.merged).keys()
  const intents = await commentIntents(comments, author, table, comment, found, { mentioned: mentions, watching })
  const counted = countComments(discussionAt(found, recordId), isInternal, 1)
  const discussion = userId === 0 ? counted : addCommenter(counted, userId, isInternal)
  return {
    comment,
    at: { model, id: found.record.id },
    conversation: side && addToConversation(comments, tenant, table, { ...comment, side }, found),
    writes: [
      { put: commentItem(tenant, comment), if: isNew },
      saveDiscussion(tenant, model, recordId, discussion),
      ...attachmentWrites(comments, tenant, comment, undefined, comment).writes,
      ...intents,
      ...replies,
    ],
  }
}

/** Whether a requester writes where merges brought others along: only the team is notified, and nobody is mailed. */
async function isAmongOthers(
  { requests }: CommentDependencies,
  { tenant, userId }: CommentAuthor,
  { model, messageId, through }: Comment,
  { merged }: CommentedRecord,
): Promise<boolean> {
  if (through === undefined || merged.length === 0) return false
  // Somebody of the team may answer a notice of a record that was merged since.
  return messageId === undefined || (await requests?.followersOf(tenant, { model, id: through }))?.has(userId) === true
}

async function readWhereTaken(
  comments: CommentDependencies,
  author: CommentAuthor,
  record: RecordRef,
  through: number | undefined,
  rows: PreloadedRows | undefined,
): Promise<CommentedRecord> {
  const found = await readCommentedRecord(comments, author, record, rows)
  const survivor =
    found.record.mergedInto !== undefined && through === record.id
      ? await readSurvivor(comments.store, author.tenant, record)
      : undefined
  if (survivor) return readCommentedRecord(comments, author, survivor.ref)
  requireUnmerged(record, found)
  return found
}

/**
 * Stores a comment on a record that lives, in one transaction with the claims of its files, the notifications of people
 * and `moreWrites`. Whether the author may write one is checked before. Throws NotFound, Invalid, and what refused steps say.
 */
export async function storeComment(
  comments: CommentDependencies,
  author: CommentAuthor,
  record: RecordRef,
  content: NewComment,
  moreWrites: (comment: Comment) => readonly (Write | Step)[],
  preloaded?: PreloadedRows,
): Promise<Comment> {
  const { store, clock } = comments
  const { tenant } = author
  let rows = preloaded
  let id: number | undefined
  return retryWithJitter(clock, async (again) => {
    const { comment, writes, at, conversation } = await prepareComment(comments, author, record, content, { rows, id })
    rows = undefined
    id = comment.id
    const lives = [
      conversation?.step(again) ?? recordLives(tenant, at),
      ...(at.id === record.id ? [] : [recordRemains(tenant, record)]),
    ]
    await commit(store, tenant, [...lives, ...writes, ...moreWrites(comment)], clock.uuid(), again)
    return comment
  })
}

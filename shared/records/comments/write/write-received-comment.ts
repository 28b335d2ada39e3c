import { maxCommentCharacters, maxCommentFiles } from '../../../kernel/limits/comments.ts'
import { unrestricted } from '../../../kernel/principal.ts'
import type { Tenant } from '../../../kernel/tenancy.ts'
import { isoTime } from '../../../kernel/time/clock.ts'
import { afterMessage, type ConversationParts } from '../../../platform/store/rows/conversation-state.ts'
import type { StoredRecord } from '../../../platform/store/rows/record-row.ts'
import type { Write } from '../../../platform/store/store.ts'
import type { Step } from '../../../platform/store/writes/commit.ts'
import { isClosedRecord } from '../../../tables/field-types/read-field.ts'
import { readCommentedRecord, type RecordRef } from '../commented-record.ts'
import type { CommentDependencies } from '../dependencies.ts'
import type { Comment } from '../rows/comment-row.ts'
import { watchersOf } from '../watchers/watchers-of.ts'
import { commentIntents } from './comment-intents.ts'
import { homeOfComment, sideOf } from './conversation-step.ts'
import { storeComment } from './store-comment.ts'

/** A message that becomes a comment. `userId`: who wrote it, where that is a user; else `from` says who. */
export interface ReceivedComment {
  readonly userId: number | null
  readonly from: { readonly name: string | null; readonly email: string | null }
  readonly messageId: number
  /** The record whose requester wrote it; left out for a user who may be of the team. */
  readonly through: number | undefined
  readonly body: string
  /** A program wrote it: nobody is waited for because of it. */
  readonly isAutomatic: boolean
  /** It is for the team alone: a user answered a notice of an internal comment, or somebody a forward. */
  readonly isInternal?: boolean
  /** The forward that it answers. */
  readonly forward?: number | undefined
  /** Paths of stored files; the first twenty are shown with the comment. */
  readonly attachments: readonly string[]
}

/**
 * Writes a message that came in as a comment on a record, a public one unless it answers an internal one, in one transaction with `moreWrites`. No permission
 * limits it, and it mentions nobody; watchers are notified. A long text is cut. Throws NotFound when the record is gone,
 * and what refused steps say.
 */
export async function writeReceivedComment(
  comments: CommentDependencies,
  tenant: Tenant,
  record: RecordRef,
  { userId, from, messageId, through, body, isAutomatic, isInternal = false, forward, attachments }: ReceivedComment,
  moreWrites: readonly (Write | Step)[],
): Promise<Comment> {
  const author = authorOf(tenant, { userId, from })
  const content = {
    body: bodyOf(body),
    isInternal,
    attachments: attachments.slice(0, maxCommentFiles),
    messageId,
    isAutomatic,
    ...(through !== undefined && { through }),
    ...(forward !== undefined && { forward }),
    ...(userId === null && { from }),
  }
  return storeComment(comments, author, record, content, () => moreWrites)
}

/**
 * What a message of a customer means that changes its record, and becomes no comment: the conversations afterwards, and the
 * notifications of whoever watches the record. Undefined for a message of somebody else.
 */
export async function hearReceived(
  comments: CommentDependencies,
  tenant: Tenant,
  ref: RecordRef,
  received: ReceivedComment,
): Promise<
  | {
      readonly after: (before: StoredRecord, data: StoredRecord['data']) => ConversationParts
      readonly intents: readonly Write[]
    }
  | undefined
> {
  const { userId, from, messageId, through, isAutomatic } = received
  const author = authorOf(tenant, received)
  const [table, found] = await Promise.all([
    comments.tables.require(tenant, ref.model),
    readCommentedRecord(comments, author, ref),
  ])
  const at = isoTime(comments.clock.now())
  const said: Comment = {
    id: 0,
    model: ref.model,
    recordId: ref.id,
    body: bodyOf(received.body),
    isInternal: false,
    attachments: [],
    mentions: [],
    userId: author.userId,
    messageId,
    ...(through !== undefined && { through }),
    ...(userId === null && { from }),
    createdAt: at,
    updatedAt: at,
    version: 1,
  }
  const origin = { isSent: false, isOfCustomer: false, isAutomatic }
  if ((await sideOf(comments, tenant, said, found, origin)) !== 'customer') return undefined
  const watching = watchersOf(table, found.record, found.discussion, { seesInternal: true }, found.merged).keys()
  return {
    after: ({ conversation }, data) =>
      afterMessage(
        conversation,
        homeOfComment(said),
        { at, by: 'customer' },
        { isClosed: isClosedRecord(table, data) },
      ),
    intents: await commentIntents(comments, author, table, said, found, { mentioned: [], watching }),
  }
}

const authorOf = (tenant: Tenant, { userId, from }: Pick<ReceivedComment, 'userId' | 'from'>) => ({
  ...unrestricted,
  tenant,
  userId: userId ?? 0,
  name: from.name ?? from.email ?? 'Somebody',
  source: 'rule',
})

/** A comment has a text of at most 20,000 characters. */
function bodyOf(body: string): string {
  const text = body.trim().toWellFormed()
  if (text === '') return 'A message without text.'
  return text.length > maxCommentCharacters ? `${text.slice(0, maxCommentCharacters - 1).toWellFormed()}…` : text
}

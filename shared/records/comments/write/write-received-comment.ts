import { maxCommentCharacters, maxCommentFiles } from '../../../kernel/limits/comments.ts'
import { unrestricted } from '../../../kernel/principal.ts'
import type { Tenant } from '../../../kernel/tenancy.ts'
import type { Write } from '../../../platform/store/store.ts'
import type { Step } from '../../../platform/store/writes/commit.ts'
import type { RecordRef } from '../commented-record.ts'
import type { CommentDependencies } from '../dependencies.ts'
import type { Comment } from '../rows/comment-row.ts'
import { storeComment } from './store-comment.ts'

/** A message that becomes a comment. `userId`: who wrote it, where that is a user; else `from` says who. */
export interface ReceivedComment {
  readonly userId: number | null
  readonly from: { readonly name: string | null; readonly email: string | null }
  readonly messageId: number
  /** The record whose requester wrote it; left out for a user who may be of the team. */
  readonly through: number | undefined
  readonly body: string
  /** Paths of stored files; the first twenty are shown with the comment. */
  readonly attachments: readonly string[]
}

/**
 * Writes a message that came in as a public comment on a record, in one transaction with `moreWrites`. No permission
 * limits it, and it mentions nobody; watchers are notified. A long text is cut. Throws NotFound when the record is gone,
 * and what refused steps say.
 */
export async function writeReceivedComment(
  comments: CommentDependencies,
  tenant: Tenant,
  record: RecordRef,
  { userId, from, messageId, through, body, attachments }: ReceivedComment,
  moreWrites: readonly (Write | Step)[],
): Promise<Comment> {
  const name = from.name ?? from.email ?? 'Somebody'
  const author = { ...unrestricted, tenant, userId: userId ?? 0, name, source: 'rule' }
  const content = {
    body: bodyOf(body),
    isInternal: false,
    attachments: attachments.slice(0, maxCommentFiles),
    messageId,
    ...(through !== undefined && { through }),
    ...(userId === null && { from }),
  }
  return storeComment(comments, author, record, content, () => moreWrites)
}

/** A comment has a text of at most 20,000 characters. */
function bodyOf(body: string): string {
  const text = body.trim().toWellFormed()
  if (text === '') return 'A message without text.'
  return text.length > maxCommentCharacters ? `${text.slice(0, maxCommentCharacters - 1).toWellFormed()}…` : text
}

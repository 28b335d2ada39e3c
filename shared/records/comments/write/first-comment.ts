import type { Principal } from '../../../kernel/principal.ts'
import { isoTime } from '../../../kernel/time/clock.ts'
import { reserveIds } from '../../../platform/store/sequence/sequence.ts'
import type { Write } from '../../../platform/store/store.ts'
import { isNew } from '../../../platform/store/writes/conditions.ts'
import { attachmentWrites, requireFiles } from '../attachments.ts'
import type { CommentDependencies } from '../dependencies.ts'
import { type Comment, commentItem, commentSequence } from '../rows/comment-row.ts'
import { addCommenter, countComments, readDiscussion, saveDiscussion } from '../rows/discussion-row.ts'

/**
 * A public comment for the transaction that makes its record: the writes for the id that the record gets. Nobody is
 * notified of it, since the record itself is new. Throws Invalid for files that were not uploaded.
 */
export async function prepareFirstComment(
  comments: CommentDependencies,
  { tenant, userId, impersonatorId }: Principal,
  model: string,
  { body, attachments }: Pick<Comment, 'body' | 'attachments'>,
): Promise<(recordId: number) => readonly Write[]> {
  const { store, clock } = comments
  await requireFiles(comments, tenant, attachments)
  const id = await reserveIds(store, tenant, commentSequence, 1)
  const now = isoTime(clock.now())
  return (recordId) => {
    const comment: Comment = {
      id,
      model,
      recordId,
      body,
      isInternal: false,
      attachments: [...new Set(attachments)],
      mentions: [],
      userId,
      ...(impersonatorId !== undefined && { impersonatorId }),
      through: recordId,
      createdAt: now,
      updatedAt: now,
      version: 1,
    }
    const discussion = addCommenter(countComments(readDiscussion(null), false, 1), userId, false)
    return [
      { put: commentItem(tenant, comment), if: isNew },
      saveDiscussion(tenant, model, recordId, discussion),
      ...attachmentWrites(comments, tenant, comment, undefined, comment).writes,
    ]
  }
}

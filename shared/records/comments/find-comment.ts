import { NotFound } from '../../kernel/failures/faults.ts'
import { mayOnTable } from '../../kernel/permissions.ts'
import type { Caller, Viewer } from '../../kernel/principal.ts'
import { commentKey } from '../../platform/store/keys/comments.ts'
import type { Store } from '../../platform/store/store.ts'
import type { MayReadComment } from '../../tables/files/service.ts'
import { type CommentedRecord, readCommentedRecord, type RecordRef } from './commented-record.ts'
import type { CommentDependencies } from './dependencies.ts'
import { type Comment, readComment } from './rows/comment-row.ts'

/** Reads a comment that the viewer may see. Throws NotFound for any other. */
export async function findComment(
  store: Pick<Store, 'getMany'>,
  { tenant }: Pick<Viewer, 'tenant'>,
  { model, id }: RecordRef,
  commentId: number,
  { seesInternal }: Pick<CommentedRecord, 'seesInternal'>,
): Promise<Comment> {
  const kinds = seesInternal ? [false, true] : [false]
  const items = await store.getMany(
    tenant,
    kinds.map((isInternal) => commentKey(tenant, model, id, { id: commentId, isInternal })),
  )
  const item = items.find((one) => one !== undefined)
  if (!item) throw new NotFound('comment', { model, id, comment: commentId })
  return readComment(item)
}

/** Tells whether callers may see a comment that holds a file. */
export const commentReader =
  (
    comments: Pick<CommentDependencies, 'tables' | 'access'> & { readonly store: Pick<Store, 'getMany'> },
  ): MayReadComment =>
  async (caller: Caller, { model, id, commentId }, path) => {
    if (!mayOnTable(caller, model, 'read')) return false
    try {
      const record = await readCommentedRecord(comments, caller, { model, id })
      const { attachments } = await findComment(comments.store, caller, { model, id }, commentId, record)
      return attachments.includes(path)
    } catch (error) {
      if (error instanceof NotFound) return false
      throw error
    }
  }

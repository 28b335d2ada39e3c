import { NotFound } from '../../kernel/failures/faults.ts'
import { mayOnTable } from '../../kernel/permissions.ts'
import type { Caller, Viewer } from '../../kernel/principal.ts'
import { commentKey } from '../../platform/store/keys/comments.ts'
import { readSurvivor } from '../../platform/store/ranges/merged-records.ts'
import type { Store } from '../../platform/store/store.ts'
import type { MayReadComment } from '../../tables/files/open-download.ts'
import { type CommentedRecord, homesOf, readCommentedRecord, type RecordRef } from './commented-record.ts'
import type { CommentDependencies } from './dependencies.ts'
import { type Comment, readComment } from './rows/comment-row.ts'

/** Reads a comment that the viewer may see. Throws NotFound for any other. */
export async function findComment(
  store: Pick<Store, 'getMany'>,
  { tenant }: Pick<Viewer, 'tenant'>,
  { model, id }: RecordRef,
  commentId: number,
  found: Pick<CommentedRecord, 'seesInternal' | 'record' | 'merged'>,
): Promise<Comment> {
  const kinds = found.seesInternal ? [false, true] : [false]
  const items = await store.getMany(
    tenant,
    homesOf(found).flatMap((home) =>
      kinds.map((isInternal) => commentKey(tenant, model, home, { id: commentId, isInternal })),
    ),
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
      const survivor = await readSurvivor(comments.store, caller.tenant, { model, id })
      if (!survivor) return false
      const record = await readCommentedRecord(comments, caller, survivor.ref)
      const { attachments } = await findComment(comments.store, caller, survivor.ref, commentId, record)
      return attachments.includes(path)
    } catch (error) {
      if (error instanceof NotFound) return false
      throw error
    }
  }

import { publicTable } from '../../../kernel/table-names.ts'
import { publicUrl } from '../../../platform/http/routing/envelope.ts'
import { commentPartition } from '../../../platform/store/keys/comments.ts'
import { newestRows } from '../../../platform/store/ranges/newest-rows.ts'
import type { Store } from '../../../platform/store/store.ts'
import { describeComments } from '../../../records/comments/describe-comments.ts'
import { type Comment, readComment } from '../../../records/comments/rows/comment-row.ts'
import type { CommentAnswer } from '../../../records/comments/schema.ts'
import type { TimelineSource, TimelineSubject } from '../timeline-source.ts'

/** The comments on a record that every reader sees, or its internal ones. */
export function commentsOf(
  store: Pick<Store, 'query' | 'getMany'>,
  { viewer, model, id }: TimelineSubject,
  isInternal: boolean,
): TimelineSource<Comment> {
  const { tenant } = viewer
  return {
    name: isInternal ? 'internal' : 'comment',
    kind: 'comment',
    position: /^\d{12}$/,
    async read(from, limit) {
      const pk = commentPartition(tenant, model, id, isInternal)
      const { rows, ...rest } = await newestRows(store, tenant, { pk }, from, limit)
      const heads = rows.map(({ sort, item }) => {
        const row = readComment(item)
        return { at: row.createdAt, position: sort, row }
      })
      return { heads, ...rest }
    },
    async describe(comments) {
      const answers = await describeComments(store, tenant, comments)
      return answers.map((comment) => ({
        at: comment.created_at,
        id: String(comment.id),
        ...(comment.user && { user: comment.user }),
        summary: `${authorOf(comment)} commented${comment.is_internal ? ' internally' : ''}`,
        data: comment,
        href: `${publicUrl()}/api/e/${publicTable(tenant, model)}/${id}/comments`,
      }))
    },
  }
}

/** Who wrote it: a user, or the sender of a message that became the comment. */
const authorOf = ({ user, from }: CommentAnswer): string => user?.name ?? from?.name ?? from?.email ?? 'Somebody'

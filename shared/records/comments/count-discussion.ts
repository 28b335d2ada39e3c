import type { Viewer } from '../../kernel/principal.ts'
import type { Store } from '../../platform/store/store.ts'
import { discussionAt, homesOf, readCommentedRecord, type RecordRef } from './commented-record.ts'
import type { CommentDependencies } from './dependencies.ts'
import { watchersOf } from './watchers/watchers-of.ts'

/** How many comments a viewer sees on a record, and how many people watch it. Throws NotFound when the viewer may not read it. */
export async function countDiscussion(
  comments: Pick<CommentDependencies, 'tables' | 'access'> & { readonly store: Pick<Store, 'getMany'> },
  viewer: Viewer,
  ref: RecordRef,
): Promise<{ readonly comments: number; readonly watchers: number }> {
  const found = await readCommentedRecord(comments, viewer, ref)
  const { record, discussion, merged, seesInternal } = found
  const table = await comments.tables.require(viewer.tenant, ref.model)
  return {
    comments: homesOf(found)
      .map((home) => discussionAt(found, home))
      .reduce((sum, { count, internalCount }) => sum + count + (seesInternal ? internalCount : 0), 0),
    watchers: watchersOf(table, record, discussion, { seesInternal }, merged).size,
  }
}

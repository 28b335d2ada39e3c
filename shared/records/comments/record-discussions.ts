import type { Viewer } from '../../kernel/principal.ts'
import type { TenantRef } from '../../kernel/tenancy.ts'
import { commentPartition, discussionKey } from '../../platform/store/keys/comments.ts'
import { keyOfItem } from '../../platform/store/keys/key.ts'
import type { Store } from '../../platform/store/store.ts'
import type { CountedDiscussion, RecordDiscussions } from '../records/dependencies.ts'
import { attachmentWrites, letGo } from './attachments.ts'
import { discussionAt, homesOf, readCommentedRecord, type RecordRef } from './commented-record.ts'
import type { CommentDependencies } from './dependencies.ts'
import { type Comment, readComment } from './rows/comment-row.ts'
import { readDiscussion } from './rows/discussion-row.ts'
import { watchersOf } from './watchers/watchers-of.ts'

/** Comments read and removed between two checks of the time. */
const batch = 25

type Dependencies = Pick<CommentDependencies, 'store' | 'clock'>

/** The comments and watchers of one record, as its delete and its return need them. */
export function createRecordDiscussions(services: Dependencies): RecordDiscussions {
  const { store } = services

  /** The row of the discussion goes last, so that an interrupted removal is found again. */
  async function remove(
    tenant: TenantRef,
    { model, id, deletedAt }: Parameters<RecordDiscussions['remove']>[1],
    timeIsUp: () => boolean,
  ): Promise<boolean> {
    const key = discussionKey(tenant, model, id)
    if (!(await store.get(tenant, key))) return true
    for (const isInternal of [false, true]) {
      for (;;) {
        const pk = commentPartition(tenant, model, id, isInternal)
        const { items } = await store.query(tenant, { pk, limit: batch })
        if (items.length === 0) break
        if (timeIsUp()) return false
        const comments = items.map((item) => ({ key: keyOfItem(item), comment: readComment(item) }))
        const bare = comments.filter(({ comment }) => comment.attachments.length === 0)
        await store.writeMany(
          tenant,
          [],
          bare.map((one) => one.key),
        )
        for (const one of comments)
          if (one.comment.attachments.length > 0) await removeWithFiles(tenant, one, deletedAt)
      }
    }
    await store.write(tenant, { remove: key })
    return true
  }

  async function removeWithFiles(
    tenant: TenantRef,
    { key, comment }: { readonly key: ReturnType<typeof keyOfItem>; readonly comment: Comment },
    deletedAt: string | undefined,
  ): Promise<void> {
    const gone = { ...comment, version: comment.version + 1 }
    const files = attachmentWrites(services, tenant, gone, comment, undefined, deletedAt)
    await store.transact(tenant, [{ remove: key }, ...files.writes], services.clock.uuid())
    await letGo(services, tenant, files)
  }

  async function count(tenant: TenantRef, model: string, id: number): Promise<CountedDiscussion> {
    const {
      count: open,
      internalCount,
      added,
    } = readDiscussion(await store.get(tenant, discussionKey(tenant, model, id)))
    return { comments: open, internalComments: internalCount, watchers: added.length }
  }

  return { remove, count }
}

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
